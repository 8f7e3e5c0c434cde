import Dispatch
import LMDB
import Synchronization

/// Reading the items of an array, the two halves of a long one at the same time.
extension ItemReader {
  /// Reads the item that begins here.
  typealias Take = @Sendable (inout ItemReader, inout JSONScanner) throws(JSONFault) -> Void

  /// Reads an array of items.
  ///
  /// The second half of a long array is read by another processor meanwhile, from an object near
  /// the middle that begins like the first item. Whether that is an item is known once the first
  /// half is read: if it is not, nothing of what was read from there is used.
  mutating func takeItems(_ scanner: inout JSONScanner, _ take: Take) throws(JSONFault) {
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
    guard let middle = bytes.likelyItem(inArrayAt: start) else {
      return try read(bytes, from: start, isArray: true, take)
    }
    let halves = Mutex([Result<ItemPart, JSONFault>](repeating: .success(ItemPart()), count: 2))
    DispatchQueue.concurrentPerform(iterations: 2) { half in
      let isFirst = half == 0
      let part = Result { () throws(JSONFault) in
        var part = ItemPart()
        let (start, limit) = isFirst ? (start, middle) : (middle, .max)
        try part.read(bytes, from: start, upTo: limit, isArray: isFirst, take)
        return part
      }
      halves.withLock { $0[half] = part }
    }
    let (first, second) = halves.withLock { ($0[0], $0[1]) }
    self = try first.get()
    guard !isLast else { return }
    if end == middle { try append(second.get()) } else { try read(bytes, from: end, take) }
  }

  /// Reads the items of an array, or those from one of them on, until one begins at `limit` or
  /// later, and adds them.
  private mutating func read(
    _ bytes: RawSpan, from start: Int, upTo limit: Int = .max, isArray: Bool = false,
    _ take: ItemReader.Take
  ) throws(JSONFault) {
    var scanner = JSONScanner(bytes, at: start)
    var reader = ItemReader()
    if isArray { try scanner.open(.array) } else { try take(&reader, &scanner) }
    isLast = true
    while isLast, try scanner.nextItem() {
      isLast = scanner.place < limit
      if isLast { try take(&reader, &scanner) }
    }
    items.append(reader.items)
    end = scanner.place
  }

  /// Adds the part that follows.
  private mutating func append(_ next: ItemPart) {
    items.append(next.items)
    (end, isLast) = (next.end, next.isLast)
  }
}

extension RawSpan {
  /// The smallest number of bytes worth being read by two processors: waking one up takes as long
  /// as reading ten thousand.
  private static let halvesMin = 1 << 17
  /// How far behind the middle an item is sought, and among how many objects.
  private static let (reach, objectsMax) = (1 << 16, 64)
  /// The number of names by which an item is recognized, as objects within items may begin with the
  /// same one, and of bytes in which they are sought.
  private static let (namesMax, headBytes) = (3, 1 << 10)

  /// Returns the offset of an object near the middle of a long text that begins with the same names
  /// as the first item of the array at `start`; `nil` if there is none.
  fileprivate func likelyItem(inArrayAt start: Int) -> Int? {
    guard byteCount - start >= Self.halvesMin, let names = firstNames(of: .array, at: start) else {
      return nil
    }
    let middle = start + (byteCount - start) / 2
    var count = 0
    for place in middle..<min(middle + Self.reach, byteCount)
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
