import LMDB

/// A journal entry for the change of a row's place in a list by an event: the whole old key and the
/// whole new key, each absent if the row was not, or is not, in the list.
///
/// A row that kept its place while visible fields changed has the same key twice. The flags are
/// followed by the group's eight bytes, unless it is 0 or the key's first word; the old key, as a
/// count and its bytes; and the new key, as the number of leading bytes it shares with the old one,
/// then a count and the other bytes.
package struct ListEntry: ~Escapable {
  /// The row's number.
  package let row: UInt32
  /// The list's group, or 0.
  package let group: UInt64
  /// Whether the row was in the list.
  let hasOld: Bool
  /// Whether the row is in the list.
  let hasNew: Bool
  private let old: RawSpan
  private let shared: Int
  private let rest: RawSpan

  private enum Flag {
    static let old: UInt8 = 1
    static let new: UInt8 = 2
    static let group: UInt8 = 4
    static let groupInKey: UInt8 = 8
    static let groupInKeyBigEndian: UInt8 = 12
    static let groups: UInt8 = 12
  }

  /// Appends the row's old key.
  func appendOldKey(to bytes: inout [UInt8]) { bytes.append(copying: old) }

  /// Appends the row's new key.
  func appendNewKey(to bytes: inout [UInt8]) {
    bytes.append(copying: old.extracting(first: shared))
    bytes.append(copying: rest)
  }

  /// Reads the next entry, after its event's number; `nil` if the bytes are malformed.
  @_lifetime(copy bytes)
  init?(_ bytes: inout JournalBytes) {
    guard let row = bytes.varint().flatMap(UInt32.init(exactly:)), let flags = bytes.byte()
    else { return nil }
    var group: UInt64 = 0
    if flags & Flag.groups == Flag.group {
      guard let word = bytes.word() else { return nil }
      group = word
    }
    var (old, rest, shared) = (RawSpan(), RawSpan(), 0)
    if flags & Flag.old != 0 {
      guard let count = bytes.varint(), let key = bytes.span(count) else { return nil }
      old = key
    }
    if flags & Flag.new != 0 {
      let common = flags & Flag.old != 0 ? bytes.varint() : 0
      guard let common, common <= old.byteCount, let count = bytes.varint(),
        let key = bytes.span(count)
      else { return nil }
      (shared, rest) = (Int(common), key)
    }
    if flags & Flag.groups >= Flag.groupInKey {
      let key = flags & Flag.old != 0 ? old : rest
      guard key.byteCount >= 8 else { return nil }
      let word = key.integer(UInt64.self, at: 0)
      group = flags & Flag.groups == Flag.groupInKey ? word : word.byteSwapped
    }
    self.row = row
    self.group = group
    (hasOld, hasNew) = (flags & Flag.old != 0, flags & Flag.new != 0)
    self.old = old
    self.shared = shared
    self.rest = rest
  }

  /// Appends the entry of a row, after its event's number.
  package static func append(
    _ row: UInt32, _ group: UInt64, from old: RawSpan?, to new: RawSpan?, to bytes: inout [UInt8]
  ) {
    let (hasOld, hasNew) = (old != nil, new != nil)
    let (old, new) = (RawSpan(orEmpty: old), RawSpan(orEmpty: new))
    let groupFlag = groupFlag(group, hasOld ? old : new)
    bytes.append(varint: UInt64(row))
    bytes.append((hasOld ? Flag.old : 0) | (hasNew ? Flag.new : 0) | groupFlag)
    if groupFlag == Flag.group { bytes.append(word: group) }
    if hasOld {
      bytes.append(varint: UInt64(old.byteCount))
      bytes.append(copying: old)
    }
    guard hasNew else { return }
    let shared = hasOld ? old.commonPrefix(new) : 0
    if hasOld { bytes.append(varint: UInt64(shared)) }
    bytes.append(varint: UInt64(new.byteCount - shared))
    bytes.append(copying: new.extracting(shared..<new.byteCount))
  }

  private static func groupFlag(_ group: UInt64, _ key: RawSpan) -> UInt8 {
    guard group != 0 else { return 0 }
    guard key.byteCount >= 8 else { return Flag.group }
    let word = key.integer(UInt64.self, at: 0)
    if word == group { return Flag.groupInKey }
    return word.byteSwapped == group ? Flag.groupInKeyBigEndian : Flag.group
  }
}

extension RawSpan {
  @_lifetime(copy span)
  fileprivate init(orEmpty span: RawSpan?) {
    guard let span else {
      self = RawSpan()
      return
    }
    self = span
  }

  /// Returns the length of the common prefix in bytes.
  fileprivate func commonPrefix(_ other: RawSpan) -> Int {
    let count = Swift.min(byteCount, other.byteCount)
    var offset = 0
    while offset + 8 <= count {
      let difference =
        integer(UInt64.self, at: offset) ^ other.integer(UInt64.self, at: offset)
      if difference != 0 { return offset + difference.trailingZeroBitCount / 8 }
      offset += 8
    }
    while offset < count, byte(at: offset) == other.byte(at: offset) { offset += 1 }
    return offset
  }
}
