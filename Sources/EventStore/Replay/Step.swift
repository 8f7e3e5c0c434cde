/// One record of a log and its effect.
public struct Step: Sendable, Hashable {
  /// The record.
  public let record: Record
  /// Why the reducer refused the record; `nil` if it didn't.
  public let refusal: String?
  /// The record's changes to rows.
  public let rows: [RowStep]
  /// The record's changes to lists, ordered by view and then by group; empty if not requested.
  public let lists: [ListStep]

  /// The record's number.
  public var number: RecordNumber { record.number }
}

/// A change to one list.
public struct ListStep: Sendable, Hashable {
  /// The list.
  public let list: ListName
  /// The changes to all of the list's rows.
  public let change: ChangeSet

  /// Creates a change to a list.
  public init(list: ListName, change: ChangeSet) { (self.list, self.change) = (list, change) }
}
