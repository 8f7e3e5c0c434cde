import EventStore

/// The list of a kept view that shows just the rows that a query finds, in its order.
struct ListChoice: Hashable {
  /// The view.
  let view: String
  /// The group, where the view has groups.
  let group: Group?
  /// The value of the field that divides the groups, where one does.
  let scope: Int64?

  /// The value that a view's group is for.
  enum Group: Hashable {
    case text(String)
    case number(Int64)
  }
}

extension ViewDefinition {
  /// The list of this view that shows just the rows that meet a condition, in an order; `nil` where
  /// none does.
  ///
  /// - Parameter account: The account whose rows the condition is true of; without one, all.
  func list(
    where condition: Condition, orderedBy order: [SortField], of account: UInt32?
  ) -> ListChoice? {
    guard effectiveOrder == order.effective, scope == nil || account != nil else { return nil }
    let wanted = NormalCondition(condition.of(account)).bytes
    return choices(for: condition, of: account).first { choice in
      NormalCondition(self.condition && meaning(of: choice)).bytes == wanted
    }
  }

  /// The lists that may be the one: those of groups that the condition names.
  private func choices(for condition: Condition, of account: UInt32?) -> [ListChoice] {
    let own = account.map(Int64.init)
    let scope = scope == nil ? nil : own
    guard let grouping else { return [ListChoice(view: name, group: nil, scope: nil)] }
    if grouping.kind == .integer {
      let isByAccount = grouping == InboxFields.account.declaration
      let numbers = (isByAccount ? [own].compactMap(\.self) : []) + condition.numbers(of: grouping)
      return numbers.map { ListChoice(view: name, group: .number($0), scope: scope) }
    }
    return condition.texts(of: grouping).map {
      ListChoice(view: name, group: .text($0), scope: scope)
    }
  }

  /// What is true of the rows of a list beside the view's own condition.
  private func meaning(of choice: ListChoice) -> Condition {
    let scope = choice.scope.map { InboxFields.account == $0 } ?? .always
    guard let group = choice.group, let grouping else { return scope }
    switch group {
    case .number(let number): return scope && Field<Int64>(grouping.name, grouping.number) == number
    case .text(let text) where grouping.kind == .texts:
      return scope && Field<Set<String>>(grouping.name, grouping.number).contains(text)
    case .text(let text): return scope && Field<String>(grouping.name, grouping.number) == text
    }
  }
}

extension Condition {
  /// The condition of the rows of one account, or of all.
  func of(_ account: UInt32?) -> Condition {
    account.map { self && InboxFields.account == Int64($0) } ?? self
  }

  /// What is all true where it is.
  private var conjuncts: [Condition] {
    if case .all(let parts) = term { parts.flatMap(\.conjuncts) } else { [self] }
  }

  /// The texts that it says that a field has.
  fileprivate func texts(of field: FieldDeclaration) -> [String] {
    conjuncts.compactMap { part in
      switch part.term {
      case .intersects(field, let texts) where texts.count == 1: texts[0]
      case .comparison(field, .equal, .text(let text)): text
      default: nil
      }
    }
  }

  /// The numbers that it says that a field is.
  fileprivate func numbers(of field: FieldDeclaration) -> [Int64] {
    conjuncts.compactMap { part in
      if case .comparison(field, .equal, .word(let word)) = part.term {
        Int64(bitPattern: word)
      } else {
        nil
      }
    }
  }
}

extension [SortField] {
  /// The fields that the order needs: one that comes again decides nothing.
  fileprivate var effective: [SortField] {
    var seen: Set<FieldDeclaration> = []
    return filter { seen.insert($0.field).inserted }
  }
}
