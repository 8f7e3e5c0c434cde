import LMDB

/// A view: some of a collection's rows, in an order, optionally in groups.
///
///     let inbox = ViewDefinition(
///       "inbox", of: Item.collection, where: Item.isRead == false,
///       orderedBy: [Item.date.descending]
///     ).grouped(by: Item.tags)
///
/// Rows that are equal in that order are ordered by the bytes of their ids. A view is identified by
/// its name and ``planHash``; if the hash differs from that of the view on disk, the view is
/// rebuilt.
public struct ViewDefinition: Hashable, Sendable {
  /// The maximum number of fields that a view can be ordered by.
  public static let orderCountMax = 8
  /// The maximum number of tests in a view's condition.
  public static let testCountMax = ConditionProgram.stepCountMax

  /// The app's name for the view.
  public let name: String
  /// The collection of the view's rows.
  public let collection: RowCollection
  /// The condition that the view's rows meet.
  public let condition: Condition
  /// The field that the view is grouped by, if any.
  public private(set) var grouping: FieldDeclaration?
  /// The field whose values divide each of these groups again, if any.
  public private(set) var scope: FieldDeclaration?
  /// The sort fields, most significant first.
  public let order: [SortField]
  /// A number to change when the view must be rebuilt although nothing else has changed.
  public let version: UInt32

  /// A view of the rows that meet a condition.
  ///
  /// - Precondition: All fields belong to the collection, and none is a link. There are at most
  ///   ``orderCountMax`` sort fields, each of a single value: no sets, no references.
  public init(
    _ name: String, of collection: RowCollection, where condition: Condition = .always,
    orderedBy order: [SortField] = [], version: UInt32 = 1
  ) {
    self.name = name
    self.collection = collection
    self.condition = condition
    self.order = order
    self.version = version
    requireFields()
  }

  /// Returns the same view in groups: one for each value of the field, and one for rows without a
  /// value.
  ///
  /// A field of several texts has one group for each text: a row is in as many groups as it has
  /// texts, and in none without any. Groups tell texts apart by their bytes: spellings that are
  /// only equivalent make two groups.
  ///
  /// - Precondition: The field belongs to the collection, and is neither a link nor a reference.
  public func grouped(by field: Field<some FieldValue>) -> ViewDefinition {
    grouped(by: field.declaration)
  }

  /// Returns the same view in groups, by a field of unknown type.
  ///
  /// - Precondition: The field belongs to the collection, and is neither a link nor a reference.
  public func grouped(by field: FieldDeclaration) -> ViewDefinition {
    require(field)
    require(field.kind != .reference, "can't be grouped by \(field.name), which is a reference")
    var grouped = self
    grouped.grouping = field
    return grouped
  }

  /// Returns the same view with its groups divided by the values of another field, such as an
  /// account or a year.
  ///
  /// Rows without a value of that field are in lists that can't be named.
  ///
  /// - Precondition: The view is grouped. The field belongs to the collection.
  public func within(_ field: Field<Int64>) -> ViewDefinition {
    require(field.declaration)
    require(grouping != nil, "is divided by \(field.name), but not grouped")
    var divided = self
    divided.scope = field.declaration
    return divided
  }

  private func requireFields() {
    for field in condition.fields { require(field) }
    let limit = Self.orderCountMax
    require(order.count <= limit, "is ordered by \(order.count) fields; the limit is \(limit)")
    for sort in order {
      require(sort.field)
      let isOrdered = sort.field.kind != .texts && sort.field.kind != .reference
      require(isOrdered, "can't be ordered by \(sort.field.name), which holds \(sort.field.kind)")
    }
  }

  private func require(_ field: FieldDeclaration) {
    let isKnown = collection.fields.contains(field)
    require(isKnown, "names field \(field.name), which \(collection.name) doesn't have")
    require(!field.isHidden, "names field \(field.name), which only reducers see")
  }

  private func require(_ condition: Bool, _ message: @autoclosure () -> String) {
    precondition(condition, "view \(name) \(message())")
  }
}

extension ViewDefinition {
  /// The fields that affect the order: a repeated field decides nothing.
  package var effectiveOrder: [SortField] { order.effective }

  /// The view's effect, as bytes that are equal for equivalent definitions.
  ///
  /// They contain the numbers and kinds of fields, but not the names of the view and its fields.
  var canonicalBytes: [UInt8] {
    var bytes: [UInt8] = [Self.planFormat, collection.number]
    bytes.append(littleEndian: version)
    bytes += grouping.map { [UInt8($0.number), $0.kind.rawValue] } ?? [0, 0]
    // Field numbers are smaller, so this can't be confused with the grouping or the order.
    if let scope { bytes += [0x80 | UInt8(scope.number), scope.kind.rawValue] }
    let order = effectiveOrder
    bytes.append(UInt8(order.count))
    for sort in order {
      bytes += [UInt8(sort.field.number), sort.field.kind.rawValue, sort.direction.rawValue]
    }
    return bytes + NormalCondition(condition).bytes
  }

  /// A hash of the view's effect: stable across processes, platforms, builds and renamings, and
  /// different if the view would have other rows, groups or order.
  ///
  /// - Complexity: O(n log n) in the size of the condition.
  public var planHash: UInt64 { Mixer.hash(canonicalBytes.raw, seed: Self.planSeed) }

  /// Changes when the same definition must produce different bytes on disk.
  private static let planFormat: UInt8 = 1
  /// Some digits of pi.
  private static let planSeed: UInt64 = 0x243F_6A88_85A3_08D3
}
