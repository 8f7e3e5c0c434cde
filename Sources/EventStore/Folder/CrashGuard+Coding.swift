import LMDB

extension CrashGuard {
  private static let seal = Seal(magic: "tideguar", format: 1)
  private static let fixedCount = Seal.byteCount + 72
  /// The maximum number of bytes in the file.
  static let bytesMax = fixedCount + skippedMax * 8

  /// The encoded guard, whose length depends only on the number of skipped records.
  package var bytes: [UInt8] {
    var body = store.bytes + incarnation.bytes
    body.append(littleEndian: reducers)
    body.append(littleEndian: noted?.lowerBound.rawValue ?? 0)
    body.append(littleEndian: noted?.upperBound.rawValue ?? 0)
    body.append(littleEndian: strikes?.number.rawValue ?? 0)
    body.append(littleEndian: UInt32(strikes?.deaths ?? 0))
    body.append(littleEndian: UInt32(skipped.count))
    for number in skipped { body.append(littleEndian: number.rawValue) }
    return Self.seal.bytes(sealing: body)
  }

  /// Decodes a guard; `nil` if the bytes are not those of an intact guard.
  package init?(_ bytes: RawSpan) {
    guard bytes.byteCount >= Self.fixedCount, bytes.byteCount <= Self.bytesMax,
      Self.seal.isWhole(bytes),
      let store = StoreID(bytes: bytes.extracting(16..<32).array),
      let incarnation = StoreID(bytes: bytes.extracting(32..<48).array)
    else { return nil }
    func number(_ offset: Int) -> RecordNumber {
      RecordNumber(rawValue: bytes.integer(UInt64.self, at: offset))
    }
    let (first, last) = (number(56), number(64))
    let count = Int(bytes.integer(UInt32.self, at: 84))
    guard bytes.byteCount == Self.fixedCount + count * 8, first <= last else { return nil }
    self.store = store
    self.incarnation = incarnation
    reducers = bytes.integer(UInt64.self, at: 48)
    noted = last == .zero ? nil : first...last
    let deaths = Int(bytes.integer(UInt32.self, at: 80))
    strikes = deaths == 0 ? nil : Strikes(number: number(72), deaths: deaths)
    skipped = (0..<count).map { number(Self.fixedCount + $0 * 8) }
  }
}
