/// Why a row is in a list, or is not, and why it stands where it does.
public struct ListExplanation: Sendable, Hashable {
  /// The list.
  public let list: ListName
  /// The row; `nil` where the id finds none.
  public let row: Row?
  /// What a row of the view must be like, and whether this one is.
  public let condition: ConditionTrace
  /// Whether the row has the list's value of the field that the view is grouped by, and what it has
  /// instead; `nil` where the view has no groups.
  public let grouping: ConditionTrace?
  /// How many rows the list has.
  public let count: Int
  /// The row's index; `nil` where it is not in the list.
  public let rank: Int?
  /// What it is ordered by: the fields, and what the row has of them, the id last.
  public let key: [KeyPart]
  /// The row before it in the list.
  public let previous: Row?
  /// The row behind it in the list.
  public let next: Row?

  /// A part of what decides where a row stands.
  public struct KeyPart: Sendable, Hashable {
    /// The field's name; `id` for the id.
    public let field: String
    /// Whether greater values come first.
    public let isDescending: Bool
    /// What the row has.
    public let value: String?
  }
}

/// A condition, and whether a row meets it: part by part.
public struct ConditionTrace: Sendable, Hashable {
  /// The condition in words.
  public let text: String
  /// Whether the row meets it.
  public let isMet: Bool
  /// What the row has of the field that it asks for, where it asks for one.
  public let value: String?
  /// What it consists of; nothing where it asks for one field.
  public let parts: [ConditionTrace]
}

extension Replay {
  /// Why a row is in a list, or is not, where the replay stands.
  ///
  /// - Complexity: O(log *n* + tests)
  /// - Throws: ``StoreError``.
  /// - Precondition: The list is of one of the reducer's views.
  public func explain(_ id: String, in list: ListName) throws(StoreError) -> ListExplanation {
    let plan = definitions.plans[definitions.number(of: list.view)]
    let row = try row(id, in: plan.definition.collection)
    let rank = try index(of: id, in: list)
    let (previous, next) = try neighbours(of: rank, in: list)
    return ListExplanation(
      list: list, row: row,
      condition: plan.trace(NormalCondition(plan.definition.condition), of: row),
      grouping: plan.groupTrace(of: row, in: list), count: try count(of: list), rank: rank,
      key: row.map(plan.keyParts) ?? [], previous: previous, next: next)
  }

  private func neighbours(
    of rank: Int?, in list: ListName
  ) throws(StoreError) -> (previous: Row?, next: Row?) {
    guard let rank else { return (nil, nil) }
    let previous = rank > 0 ? try rows(of: list, in: (rank - 1)..<rank).first : nil
    return (previous, try rows(of: list, in: (rank + 1)..<(rank + 2)).first)
  }
}

extension ViewPlan {
  /// A condition, asked of a row part by part; a row that is not there meets none.
  fileprivate func trace(_ condition: NormalCondition, of row: Row?) -> ConditionTrace {
    var (value, parts): (String?, [ConditionTrace]) = (nil, [])
    switch condition {
    case .constant: break
    case .test(let test):
      let field = definition.collection.fields.first { $0.index == test.index }
      value = field.flatMap { row?.text(of: $0) }
    case .all(let conditions), .any(let conditions): parts = conditions.map { trace($0, of: row) }
    }
    let isMet = row.map { ConditionProgram(condition).matches($0.view) } ?? false
    return ConditionTrace(text: text(condition), isMet: isMet, value: value, parts: parts)
  }

  fileprivate func groupTrace(of row: Row?, in list: ListName) -> ConditionTrace? {
    guard let grouping = definition.grouping else { return nil }
    let fields = [grouping] + (definition.scope.map { [$0] } ?? [])
    let values = fields.map { row?.text(of: $0) ?? "none" }.joined(separator: ", ")
    let group = list.description.dropFirst(list.view.count + 1)
    var groups: [UInt64] = []
    if let row { appendGroups(of: row.view, to: &groups) }
    return ConditionTrace(
      text: "\(fields.map(\.name).joined(separator: ", ")) has \(group)",
      isMet: groups.contains(word(of: list)), value: values, parts: [])
  }

  fileprivate func keyParts(of row: Row) -> [ListExplanation.KeyPart] {
    definition.effectiveOrder.map { sort in
      ListExplanation.KeyPart(
        field: sort.field.name, isDescending: sort.direction == .descending,
        value: row.text(of: sort.field))
    } + [ListExplanation.KeyPart(field: "id", isDescending: false, value: row.id)]
  }
}
