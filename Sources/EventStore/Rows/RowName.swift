/// The external id of a row by its bytes: ids that read the same may be those of two rows.
struct RowName: Hashable, Comparable {
  private let bytes: [UInt8]

  /// The name of the row of an id.
  init(_ id: String) { bytes = Array(id.utf8) }

  /// The id.
  var id: String { String(decoding: bytes, as: UTF8.self) }

  static func < (left: RowName, right: RowName) -> Bool {
    left.bytes.lexicographicallyPrecedes(right.bytes)
  }
}
