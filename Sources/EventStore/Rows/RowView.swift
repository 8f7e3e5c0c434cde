import LMDB

/// A row's bytes, borrowed and read in place.
package struct RowView: ~Escapable {
  /// All of its bytes.
  package let bytes: RawSpan

  /// A view of bytes that are a row's.
  @_lifetime(copy bytes)
  @inline(__always)
  package init(_ bytes: RawSpan) { self.bytes = bytes }

  /// How many fields it has room for.
  @inline(__always)
  package var fieldCount: Int { Int(bytes.byte(at: RowFormat.Offset.fieldCount)) }

  /// Its flags.
  @inline(__always)
  package var flags: UInt8 { bytes.byte(at: RowFormat.Offset.flags) }

  /// Whether there is more of it than its id.
  @inline(__always)
  package var isPresent: Bool { flags == 0 }

  /// Which fields are present.
  @inline(__always)
  package var presence: UInt64 { bytes.integer(UInt64.self, at: RowFormat.Offset.presence) }

  /// The bytes of its external id.
  package var id: RawSpan {
    @_lifetime(copy self) get {
      let start = RowFormat.Offset.slots + 8 * fieldCount
      let count = Int(bytes.integer(UInt16.self, at: RowFormat.Offset.idCount))
      return bytes.extracting(start..<(start + count))
    }
  }

  /// Whether a field, counted from 0, has a value.
  @inline(__always)
  package func has(_ field: Int) -> Bool { presence & 1 << UInt64(field) != 0 }

  /// The eight bytes of a field's slot.
  @inline(__always)
  package func slot(_ field: Int) -> UInt64 {
    bytes.integer(UInt64.self, at: RowFormat.Offset.slots + 8 * field)
  }

  /// The bytes of a variable field; empty where it is absent.
  @_lifetime(copy self)
  package func variable(_ field: Int) -> RawSpan {
    let slot = slot(field)
    let start = Int(slot & 0xFFFF_FFFF)
    return bytes.extracting(start..<(start + Int(slot >> 32)))
  }

  /// What tells a field's values apart: equal for equal values, and with a chance of 2⁻⁶⁴ for
  /// others; 0 where it is absent.
  ///
  /// Of a reference only the content counts, not where it stands.
  package func digest(of field: Int, _ kind: FieldKind) -> UInt64 {
    guard has(field) else { return 0 }
    var mixer = Mixer(seed: UInt64(kind.rawValue))
    switch kind {
    case .reference: mixer.add(variable(field).integer(UInt64.self, at: 8))
    case .text, .texts: mixer.add(variable(field))
    case .integer, .boolean, .timestamp, .double, .link: mixer.add(slot(field))
    }
    return max(mixer.value, 1)
  }
}
