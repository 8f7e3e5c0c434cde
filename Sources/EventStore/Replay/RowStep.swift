/// A change to one row.
public struct RowStep: Sendable, Hashable {
  /// The row's collection.
  public let collection: RowCollection
  /// The row before the change; `nil` if there was none.
  public let old: Row?
  /// The row after the change; `nil` if it is gone.
  public let new: Row?

  /// Creates a change to a row; returns `nil` if nothing visible changed.
  init?(_ collection: RowCollection, old: Row?, new: Row?) {
    guard old != new else { return nil }
    (self.collection, self.old, self.new) = (collection, old, new)
  }

  /// The row's id.
  public var id: String { (new ?? old)?.id ?? "" }

  /// The fields whose values differ; if the row came or went, all fields with values.
  ///
  /// - Complexity: O(bytes of the row)
  public var fields: FieldSet { FieldSet(from: old, to: new) }

  /// The fields that differ, with the old and new values as text.
  ///
  /// - Complexity: O(bytes of the row)
  public var texts: [(field: String, old: String?, new: String?)] {
    let fields = fields
    return collection.fields.filter { fields.contains(field: $0.number) }.map { field in
      (field.name, old?.text(of: field), new?.text(of: field))
    }
  }

  /// Returns this change combined with the next, or `nil` if they cancel out.
  func merging(_ next: RowStep) -> RowStep? {
    RowStep(collection, old: old, new: next.new)
  }
}
