import EventStore

extension ViewDefinition {
  /// The list of this view that shows just the rows that meet a condition, in an order; `nil` where
  /// none does.
  ///
  /// - Parameter account: The account whose rows the condition is true of; without one, all.
  func list(
    where condition: Condition, orderedBy order: [SortField], of account: UInt32?
  ) -> ListName? {
    guard effectiveOrder == order.effective, scope == nil || account != nil else { return nil }
    let wanted = NormalCondition(condition.of(account)).bytes
    return candidates(for: condition, of: account).first { candidate in
      NormalCondition(self.condition && candidate.meaning).bytes == wanted
    }?.list
  }

  /// The lists that may be the one, those of groups that the condition names; each with what is
  /// true of its rows beside the view's own condition.
  private func candidates(
    for condition: Condition, of account: UInt32?
  ) -> [(list: ListName, meaning: Condition)] {
    guard let grouping else { return [(ListName(name), .always)] }
    let own = account.map(Int64.init)
    let scope = scope == nil ? nil : own
    let isWithin = scope.map { InboxFields.account == $0 } ?? .always
    if grouping.kind == .integer {
      let isByAccount = grouping == InboxFields.account.declaration
      let numbers = (isByAccount ? [own].compactMap(\.self) : []) + condition.numbers(of: grouping)
      let field = Field<Int64>(grouping.name, grouping.number)
      return numbers.map {
        (ListName(name, group: .number($0), scope: scope), isWithin && field == $0)
      }
    }
    return condition.texts(of: grouping).map {
      (ListName(name, group: .text($0), scope: scope), isWithin && grouping.has($0))
    }
  }
}

extension FieldDeclaration {
  /// The condition that a text is among the values of a field of texts, or is that of another.
  fileprivate func has(_ text: String) -> Condition {
    kind == .texts
      ? Field<Set<String>>(name, number).contains(text) : Field<String>(name, number) == text
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
