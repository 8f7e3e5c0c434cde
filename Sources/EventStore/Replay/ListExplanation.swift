/// An explanation of why a row is or is not in a list, and why it stands where it does.
public struct ListExplanation: Sendable, Hashable {
  /// The list.
  public let list: ListName
  /// The row; `nil` if the id refers to none.
  public let row: Row?
  /// The view's condition and whether the row meets it.
  public let condition: ConditionTrace
  /// Whether the row has the list's value for the field that groups the view, and its actual value;
  /// `nil` if the view has no groups.
  public let grouping: ConditionTrace?
  /// The number of rows in the list.
  public let count: Int
  /// The row's index; `nil` if it is not in the list.
  public let rank: Int?
  /// The sort key: the fields and the row's values, the id last.
  public let key: [KeyPart]
  /// The preceding row in the list.
  public let previous: Row?
  /// The following row in the list.
  public let next: Row?

  /// A part of the key that determines a row's position.
  public struct KeyPart: Sendable, Hashable {
    /// The field's name; `id` for the id.
    public let field: String
    /// Whether greater values come first.
    public let isDescending: Bool
    /// The row's value.
    public let value: String?
  }
}

/// A condition and, part by part, whether a row meets it.
public struct ConditionTrace: Sendable, Hashable {
  /// The condition in words.
  public let text: String
  /// Whether the row meets it.
  public let isMet: Bool
  /// The row's value of the field that the condition tests, if it tests one.
  public let value: String?
  /// The condition's parts; empty if it tests one field.
  public let parts: [ConditionTrace]
}

extension Replay {
  /// Explains why a row is or is not in a list at the replay's position.
  ///
  /// - Complexity: O(log *n* + tests)
  /// - Throws: ``StoreError``.
  /// - Precondition: The list belongs to one of the reducer's views.
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
  /// Traces a condition for a row part by part; a missing row meets none.
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
    var groups: [UInt64] = []
    if let row { appendGroups(of: row.view, to: &groups) }
    return ConditionTrace(
      text: "\(fields.map(\.name).joined(separator: ", ")) has \(list.groupText ?? "")",
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
