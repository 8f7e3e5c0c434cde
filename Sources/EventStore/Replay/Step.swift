/// One record of a log, and what it did.
public struct Step: Sendable, Hashable {
  /// The record.
  public let record: Record
  /// Why the reducer could make nothing of it; `nil` where it could.
  public let refusal: String?
  /// What it did to rows.
  public let rows: [RowStep]
  /// What it did to lists, in the order of the views, and of a view's in that of their groups; none
  /// where nobody wanted to know.
  public let lists: [ListStep]

  /// The record's number.
  public var number: RecordNumber { record.number }
}

/// What happened to one list.
public struct ListStep: Sendable, Hashable {
  /// The list.
  public let list: ListName
  /// What happened to all of its rows.
  public let change: ChangeSet

  /// What happened to a list.
  public init(list: ListName, change: ChangeSet) { (self.list, self.change) = (list, change) }
}
