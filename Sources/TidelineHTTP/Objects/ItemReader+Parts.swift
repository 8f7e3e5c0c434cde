import Dispatch
import LMDB
import Synchronization

/// Reading the items of an array, the parts of a long one at the same time.
extension ItemReader {
  /// Reads the item that begins here.
  typealias Take = @Sendable (inout ItemReader, inout JSONScanner) throws(JSONFault) -> Void

  /// Reads an array of items.
  ///
  /// Several processors read the parts of a long array, each of which begins with an object like
  /// the first item. Whether that is an item is known once the part before is read: if it is not,
  /// nothing of what was read from there on is used.
  mutating func takeItems(_ scanner: inout JSONScanner, _ take: Take) throws(JSONFault) {
    takeFacts()
    var part = ItemPart()
    try part.readAll(scanner.bytes, from: scanner.place, take)
    items.append(part.items)
    scanner.goBack(to: part.end)
  }
}

/// The items of a part of an array.
private struct ItemPart {
  private(set) var items = WireItems()
  /// The offset of the item behind the part, or the one just past the array.
  private(set) var end = 0
  /// Whether the array ends with the part.
  private var isLast = true

  /// Reads all items of the array that begins at `start`.
  mutating func readAll(
    _ bytes: RawSpan, from start: Int, _ take: ItemReader.Take
  ) throws(JSONFault) {
    let starts = [start] + bytes.likelyItems(inArrayAt: start)
    guard starts.count > 1 else { return try read(bytes, from: start, isArray: true, take) }
    let read = Mutex(starts.map { _ in Result<ItemPart, JSONFault>.success(ItemPart()) })
    DispatchQueue.concurrentPerform(iterations: starts.count) { index in
      let part = Result { () throws(JSONFault) in
        var part = ItemPart()
        let limit = index + 1 < starts.count ? starts[index + 1] : .max
        try part.read(bytes, from: starts[index], upTo: limit, isArray: index == 0, take)
        return part
      }
      read.withLock { $0[index] = part }
    }
    let parts = read.withLock { $0 }
    self = try parts[0].get()
    for (start, part) in zip(starts, parts).dropFirst() {
      guard !isLast else { return }
      guard end == start else { return try self.read(bytes, from: end, take) }
      try append(part.get())
    }
  }

  /// Reads the items of an array, or those from one of them on, until one begins at `limit` or
  /// later, and adds them.
  private mutating func read(
    _ bytes: RawSpan, from start: Int, upTo limit: Int = .max, isArray: Bool = false,
    _ take: ItemReader.Take
  ) throws(JSONFault) {
    var scanner = JSONScanner(bytes, at: start)
    isLast = true
    if isArray {
      try scanner.open(.array)
      guard try scanner.nextItem() else { return end = scanner.place }
    }
    // A fact is hardly ever longer than its JSON.
    var reader = ItemReader(reserving: min(limit, bytes.byteCount) - start)
    try take(&reader, &scanner)
    while isLast, try scanner.nextItem() {
      isLast = scanner.place < limit
      if isLast { try take(&reader, &scanner) }
    }
    items.append(reader.finish())
    end = scanner.place
  }

  /// Adds the part that follows.
  private mutating func append(_ next: ItemPart) {
    items.append(next.items)
    (end, isLast) = (next.end, next.isLast)
  }
}

extension RawSpan {
  /// The smallest number of bytes worth being read by two processors, since waking one up takes as
  /// long as reading ten thousand, and of further parts, of which one that comes late reads fewer.
  private static let partBytes = 1 << 17
  /// The most parts.
  private static let partsMax = 32
  /// How far behind a part's beginning an item is sought, and among how many objects.
  private static let (reach, objectsMax) = (1 << 16, 64)
  /// The number of names by which an item is recognized, as objects within items may begin with the
  /// same one, and of bytes in which they are sought.
  private static let (namesMax, headBytes) = (3, 1 << 10)

  /// Returns the offsets of objects that divide a long text into parts and begin with the same
  /// names as the first item of the array at `start`; none if there are no such objects.
  fileprivate func likelyItems(inArrayAt start: Int) -> [Int] {
    let count = byteCount - start
    guard count >= Self.partBytes, let names = firstNames(of: .array, at: start) else { return [] }
    let partCount = min(max(count / Self.partBytes, 2), Self.partsMax)
    return (1..<partCount).compactMap {
      likelyItem(behind: start + count / partCount * $0, beginningWith: names)
    }
  }

  /// Returns the offset of the next object that begins with some names; `nil` if none is near.
  private func likelyItem(behind start: Int, beginningWith names: [[UInt8]]) -> Int? {
    var count = 0
    for place in start..<min(start + Self.reach, byteCount)
    where byte(at: place) == JSONByte.object {
      if firstNames(of: .object, at: place) == names { return place }
      count += 1
      guard count < Self.objectsMax else { break }
    }
    return nil
  }

  /// Returns the first names of an object, or of the first object in an array; `nil` if there is
  /// none here.
  private func firstNames(of kind: JSONToken.Kind, at place: Int) -> [[UInt8]]? {
    let head = extracting(place..<min(place + Self.headBytes, byteCount))
    var (scanner, names): (JSONScanner, [[UInt8]]) = (JSONScanner(head), [])
    do throws(JSONFault) {
      try scanner.open(kind)
      if kind == .array { try scanner.open(.object) }
      while names.count < Self.namesMax, let name = try scanner.nextName() {
        names.append(head.copy(of: name.content))
        _ = try scanner.value()
      }
    } catch { return nil }
    return names
  }
}
