/// A handle on a table: a sorted map from keys to values within an environment.
///
/// A handle is a number and costs nothing to copy. It is good for every transaction that begins
/// after ``Environment/table(_:keys:values:options:)`` returned it, for as long as the environment
/// is open; one that is used in another environment traps.
public struct Table<Key: TableElement, Value: TableElement>: Sendable {
  /// The table's name, or `nil` for the unnamed one.
  public let name: String?

  /// What it was opened with.
  public let options: TableOptions

  @usableFromInline let handle: TableHandle
}

/// What a transaction needs to know of a table, whatever its types.
@usableFromInline
struct TableHandle: Sendable {
  let number: UInt32
  let environment: UInt64
  let hasDuplicates: Bool
}

/// How a table is opened.
public struct TableOptions: OptionSet, Sendable, Hashable {
  /// The bits of the set.
  public let rawValue: UInt8

  /// A set of the given bits.
  public init(rawValue: UInt8) { self.rawValue = rawValue }

  /// Make the table where it is not there yet.
  public static let create = TableOptions(rawValue: 1)

  /// Keep several values for one key, sorted by their bytes; each is 1 to 511 bytes long.
  ///
  /// Integers as values want ``BigEndian`` there, whose bytes sort as they do.
  public static let duplicates = TableOptions(rawValue: 2)
}
