/// The payload of an item: 250 bytes, with every field at a fixed place.
///
/// The fields use the store's payload coding: 1 id, 2 group's id, 3 date in milliseconds, 4 unread,
/// 5 a byte for each tag, 6 subject, 7 text.
package struct MailPayload: Sendable {
  package static let size = 250
  package static let idPlace = 2..<22
  package static let groupPlace = 24..<44
  private static let datePlace = 45..<51
  private static let unreadPlace = 51
  private static let tagsPlace = 54..<56
  package static let subjectPlace = 58..<98
  private static let textPlace = 101..<250

  private let template: [UInt8]
  /// The source of subjects and texts.
  private let prose: [UInt8]
  private static let proseCuts: UInt64 = 4096

  package init() {
    var template = [UInt8](repeating: 32, count: Self.size)
    let tags: [(Int, [UInt8])] = [
      (0, [0x15, 20]), (22, [0x25, 20]), (44, [0x33]), (51, [0x41]), (52, [0x56, 2]),
      (56, [0x65, 40]), (98, [0x75, 149 | 0x80, 1]),
    ]
    for (place, bytes) in tags {
      template.replaceSubrange(place..<(place + bytes.count), with: bytes)
    }
    self.template = template
    prose = (0..<(Self.proseCuts + 256)).map { place in
      let random = mixed(place ^ 0xABCD)
      return random % 6 == 0 ? 32 : UInt8(97 + (random >> 8) % 26)
    }
  }

  /// Writes an item's 250 bytes.
  @unsafe package func write(_ item: MailItem, to bytes: UnsafeMutableRawBufferPointer) {
    unsafe template.withUnsafeBytes { unsafe bytes.copyMemory(from: $0) }
    unsafe item.id.write(to: .init(rebasing: bytes[Self.idPlace]))
    unsafe item.groupID.write(to: .init(rebasing: bytes[Self.groupPlace]))
    unsafe Self.write(item.date, to: bytes)
    unsafe bytes[Self.unreadPlace] = item.isUnread ? 0x42 : 0x41
    unsafe bytes[Self.tagsPlace.lowerBound] = item.tags.0
    unsafe bytes[Self.tagsPlace.lowerBound + 1] = item.tags.1
    let cut = Int(mixed(UInt64(item.number)) % Self.proseCuts)
    unsafe prose.withUnsafeBytes { prose in
      let cut = unsafe UnsafeRawBufferPointer(rebasing: prose[cut...])
      unsafe Self.copy(cut, to: bytes, Self.subjectPlace)
      unsafe Self.copy(cut, to: bytes, Self.textPlace)
    }
  }

  private static func copy(
    _ source: UnsafeRawBufferPointer, to bytes: UnsafeMutableRawBufferPointer, _ place: Range<Int>
  ) {
    unsafe UnsafeMutableRawBufferPointer(rebasing: bytes[place])
      .copyMemory(from: .init(rebasing: source[..<place.count]))
  }

  /// Writes a zigzag varint, which takes six bytes for all dates between 2004 and 2039.
  private static func write(_ date: Int64, to bytes: UnsafeMutableRawBufferPointer) {
    var code = UInt64(date) << 1
    for place in datePlace {
      let isLast = place == datePlace.upperBound - 1
      unsafe bytes[place] = UInt8(truncatingIfNeeded: code & 127) | (isLast ? 0 : 128)
      code >>= 7
    }
  }
}

extension MailID {
  /// The 20 bytes of the text.
  package var text: [UInt8] {
    unsafe [UInt8](unsafeUninitializedCapacity: Self.length) { buffer, count in
      unsafe write(to: UnsafeMutableRawBufferPointer(buffer))
      count = Self.length
    }
  }
}

extension MailPayload {
  /// Returns a hash of an item's 250 bytes, which it writes once.
  package func digest(of item: MailItem) -> UInt64 {
    unsafe withUnsafeTemporaryAllocation(byteCount: Self.size, alignment: 8) { bytes in
      unsafe write(item, to: bytes)
      return unsafe bytes.load(fromByteOffset: 0, as: UInt64.self)
        &+ bytes.load(fromByteOffset: Self.size & ~7 - 8, as: UInt64.self)
    }
  }

  /// Returns an item's 250 bytes.
  package func bytes(of item: MailItem) -> [UInt8] {
    unsafe [UInt8](unsafeUninitializedCapacity: Self.size) { buffer, count in
      unsafe write(item, to: UnsafeMutableRawBufferPointer(buffer))
      count = Self.size
    }
  }
}
