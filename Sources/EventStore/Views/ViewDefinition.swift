import LMDB

/// A view: some of a collection's rows, in an order, perhaps in groups.
///
///     let inbox = ViewDefinition(
///       "inbox", of: Item.collection, where: Item.isRead == false,
///       orderedBy: [Item.date.descending]
///     ).grouped(by: Item.tags)
///
/// Rows that the order leaves equal are in the order of their ids' bytes. A view is known by its
/// name and its ``planHash``; where this differs from that of the view on disk, it is rebuilt.
public struct ViewDefinition: Hashable, Sendable {
  /// The fields that a view may be ordered by.
  public static let orderCountMax = 8
  /// The tests that a view's condition may come to.
  public static let testCountMax = ConditionProgram.stepCountMax

  /// The app's name for it.
  public let name: String
  /// The collection whose rows it has.
  public let collection: RowCollection
  /// What its rows are like.
  public let condition: Condition
  /// The field by whose values it is grouped, if it is.
  public private(set) var grouping: FieldDeclaration?
  /// The field by whose values each of these groups is divided again, if it is.
  public private(set) var scope: FieldDeclaration?
  /// What it is ordered by, the most significant first.
  public let order: [SortField]
  /// A number to be changed when the view shall be rebuilt though all else is as it was.
  public let version: UInt32

  /// A view of the rows that meet a condition.
  ///
  /// - Precondition: All fields are the collection's, and none a link. Those of the order are at
  ///   most ``orderCountMax`` and each have one value: no sets, no references.
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

  /// The same view in groups: one for each value of the field, and one for rows without a value.
  ///
  /// By a field of several texts there is one for each text, and a row is in as many as it has
  /// texts, so in none where it has none. Texts are told apart by their bytes here: spellings that
  /// are only equivalent make two groups.
  ///
  /// - Precondition: The field is the collection's, and neither a link nor a reference.
  public func grouped(by field: Field<some FieldValue>) -> ViewDefinition {
    grouped(by: field.declaration)
  }

  /// The same view in groups, by a field whose type is not known.
  ///
  /// - Precondition: The field is the collection's, and neither a link nor a reference.
  public func grouped(by field: FieldDeclaration) -> ViewDefinition {
    require(field)
    require(field.kind != .reference, "can't be grouped by \(field.name), which is a reference")
    var grouped = self
    grouped.grouping = field
    return grouped
  }

  /// The same view in groups of their own for each value of another field: the groups of an
  /// account, of a year.
  ///
  /// No list can be named that rows without such a value are in.
  ///
  /// - Precondition: The view is grouped. The field is the collection's.
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
  /// The fields that the order needs: one that comes again decides nothing.
  package var effectiveOrder: [SortField] { order.effective }

  /// What the view does, as bytes: the same for definitions that say the same in other words.
  ///
  /// Fields stand there by number and kind. The names of the view and its fields do not.
  var canonicalBytes: [UInt8] {
    var bytes: [UInt8] = [Self.planFormat, collection.number]
    bytes.append(littleEndian: version)
    bytes += grouping.map { [UInt8($0.number), $0.kind.rawValue] } ?? [0, 0]
    // No field has so great a number, so this is none of the grouping's or the order's.
    if let scope { bytes += [0x80 | UInt8(scope.number), scope.kind.rawValue] }
    let order = effectiveOrder
    bytes.append(UInt8(order.count))
    for sort in order {
      bytes += [UInt8(sort.field.number), sort.field.kind.rawValue, sort.direction.rawValue]
    }
    return bytes + NormalCondition(condition).bytes
  }

  /// A hash of what the view does: it stays as it is across processes, platforms and builds, and
  /// whatever the names are, and differs where the view would have other rows, groups or order.
  ///
  /// - Complexity: O(n log n) in the size of the condition.
  public var planHash: UInt64 { Mixer.hash(canonicalBytes.raw, seed: Self.planSeed) }

  /// Changes when the same definition shall lead to other bytes on disk.
  private static let planFormat: UInt8 = 1
  /// Some digits of pi.
  private static let planSeed: UInt64 = 0x243F_6A88_85A3_08D3
}
