/// What happened to one row.
public struct RowStep: Sendable, Hashable {
  /// The collection that the row is in.
  public let collection: RowCollection
  /// The row before; `nil` where there was none.
  public let old: Row?
  /// The row after; `nil` where there is none any more.
  public let new: Row?

  /// What happened to a row, or `nil` where nothing visible did.
  init?(_ collection: RowCollection, old: Row?, new: Row?) {
    guard old != new else { return nil }
    (self.collection, self.old, self.new) = (collection, old, new)
  }

  /// The row's id.
  public var id: String { (new ?? old)?.id ?? "" }

  /// The fields whose values differ; all that have values where the row came or went.
  ///
  /// - Complexity: O(bytes of the row)
  public var fields: FieldSet { FieldSet(from: old, to: new) }

  /// The fields that differ, and what each held and holds, as text.
  ///
  /// - Complexity: O(bytes of the row)
  public var texts: [(field: String, old: String?, new: String?)] {
    let fields = fields
    return collection.fields.filter { fields.contains(field: $0.number) }.map { field in
      (field.name, old?.text(of: field), new?.text(of: field))
    }
  }

  /// What came of this and what happened next, or `nil` where the next took it back.
  func merging(_ next: RowStep) -> RowStep? {
    RowStep(collection, old: old, new: next.new)
  }
}
