/// The internal number of a row within its collection: dense from 1, never reused.
///
/// It is private to the store: it affects no order, hash, export, or change set, and a rebuild may
/// assign another. Reducers may keep it in hidden fields to find a row again without its id.
public struct RowID: RawRepresentable, Hashable, Sendable {
  /// The raw number.
  public let rawValue: UInt32

  /// Creates a row id; 0 is not a valid one.
  public init(rawValue: UInt32) { self.rawValue = rawValue }
}
