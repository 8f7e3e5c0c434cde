public import EventStore

/// The objects of a list, as a value: made of their rows as they are asked for.
///
/// A copy costs O(1), an object by its index O(log n).
public struct ObjectList<Object: Model>: RandomAccessCollection, Sendable, Hashable {
  /// The rows.
  public let rows: RowList

  /// The objects that rows are.
  public init(_ rows: RowList = []) { self.rows = rows }

  /// The index of the first object.
  public var startIndex: Int { 0 }
  /// How many objects there are.
  public var endIndex: Int { rows.count }

  /// The object of that index.
  ///
  /// - Complexity: O(log *n*), and O(properties).
  public subscript(index: Int) -> Object {
    let row = rows[index]
    guard let object = Object(row) else {
      preconditionFailure("row \(row.id) is none of \(Object.self)")
    }
    return object
  }
}
