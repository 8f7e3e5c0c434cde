/// The short name of a row within its collection: dense from 1, never given twice.
///
/// It is this store's own affair: it stands in no order, no hash, no export and no change set, and
/// a rebuild may give another. Reducers may keep it in hidden fields to find a row again without
/// its name.
public struct RowID: RawRepresentable, Hashable, Sendable {
  /// The number itself.
  public let rawValue: UInt32

  /// A row's name; 0 is no row's.
  public init(rawValue: UInt32) { self.rawValue = rawValue }
}
