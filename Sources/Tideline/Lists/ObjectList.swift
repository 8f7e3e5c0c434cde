public import EventStore

/// The objects of a list, as a value: each is created from its row on access.
///
/// Copying costs O(1), accessing an object by index O(log n).
public struct ObjectList<Object: Model>: RandomAccessCollection, Sendable, Hashable {
  /// The rows.
  public let rows: RowList

  /// Creates a list from rows.
  public init(_ rows: RowList = []) { self.rows = rows }

  /// The index of the first object.
  public var startIndex: Int { 0 }
  /// The number of objects.
  public var endIndex: Int { rows.count }

  /// The object at an index.
  ///
  /// - Complexity: O(log *n*), and O(properties).
  public subscript(index: Int) -> Object {
    let row = rows[index]
    guard let object = Object(row) else {
      preconditionFailure("row \(row.id) does not hold a \(Object.self)")
    }
    return object
  }
}
