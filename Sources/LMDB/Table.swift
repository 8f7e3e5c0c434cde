/// A handle on a table: a sorted map from keys to values within an environment.
///
/// A handle is a number and costs nothing to copy. It is valid in every transaction that begins
/// after ``Environment/table(_:keys:values:options:)`` returned it, while the environment is open.
/// Using it in another environment traps.
public struct Table<Key: TableElement, Value: TableElement>: Sendable {
  /// The table's name, or `nil` for the unnamed one.
  public let name: String?

  /// The options that the table was opened with.
  public let options: TableOptions

  @usableFromInline let handle: TableHandle
}

/// The type-independent facts about a table that a transaction needs.
@usableFromInline
struct TableHandle: Sendable {
  let number: UInt32
  let environment: UInt64
  let hasDuplicates: Bool
}

/// The options for opening a table.
public struct TableOptions: OptionSet, Sendable, Hashable {
  /// The bits of the set.
  public let rawValue: UInt8

  /// A set of the given bits.
  public init(rawValue: UInt8) { self.rawValue = rawValue }

  /// Creates the table if it doesn't exist.
  public static let create = TableOptions(rawValue: 1)

  /// Keeps several values per key, sorted by their bytes; each is 1 to 511 bytes long.
  ///
  /// Store integer values as ``BigEndian``, whose bytes sort like the integers.
  public static let duplicates = TableOptions(rawValue: 2)
}
