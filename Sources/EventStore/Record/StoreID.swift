/// The identity of a store, or of one copy of it: 128 random bits.
public struct StoreID: Hashable, Sendable, Codable {
  let low: UInt64
  let high: UInt64

  init(low: UInt64, high: UInt64) {
    self.low = low
    self.high = high
  }

  /// Creates a new identity.
  init(using generator: inout some RandomNumberGenerator) {
    low = generator.next()
    high = generator.next()
  }
}

extension StoreID: CustomStringConvertible {
  /// The bits as 32 hexadecimal digits.
  public var description: String { high.hexadecimal + low.hexadecimal }
}

/// A place in the history of one store, to be kept and compared with its log later.
///
/// It proves what came before it: a log holds a position only if all records up to it are those
/// that it was taken from. See ``Log/holds(_:)``.
public struct Position: Hashable, Sendable, Codable {
  /// The store.
  public let store: StoreID
  /// The last record before the place.
  public let number: RecordNumber
  /// The chain at that record.
  let chain: UInt32
}
