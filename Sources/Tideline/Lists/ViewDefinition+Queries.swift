import EventStore

extension ViewDefinition {
  /// Returns this view's list of exactly the rows that meet a condition, in the given order, or
  /// `nil` if it has none.
  ///
  /// - Parameter account: The account to which the condition is limited, or `nil` for all.
  func list(
    where condition: Condition, orderedBy order: [SortField], of account: UInt32?
  ) -> ListName? {
    guard effectiveOrder == order.effective, scope == nil || account != nil else { return nil }
    let wanted = NormalCondition(condition.of(account)).bytes
    return candidates(for: condition, of: account).first { candidate in
      NormalCondition(self.condition && candidate.meaning).bytes == wanted
    }?.list
  }

  /// Returns the lists that may match, those of the groups that the condition names, each with the
  /// condition that its rows meet in addition to the view's own.
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
  /// Returns the condition that a multi-text field contains a text, or that another field equals
  /// it.
  fileprivate func has(_ text: String) -> Condition {
    kind == .texts
      ? Field<Set<String>>(name, number).contains(text) : Field<String>(name, number) == text
  }
}

extension Condition {
  /// Returns the condition, limited to one account or to none.
  func of(_ account: UInt32?) -> Condition {
    account.map { self && InboxFields.account == Int64($0) } ?? self
  }

  /// The conditions that this one combines.
  private var conjuncts: [Condition] {
    if case .all(let parts) = term { parts.flatMap(\.conjuncts) } else { [self] }
  }

  /// The texts that the condition requires of a field.
  fileprivate func texts(of field: FieldDeclaration) -> [String] {
    conjuncts.compactMap { part in
      switch part.term {
      case .intersects(field, let texts) where texts.count == 1: texts[0]
      case .comparison(field, .equal, .text(let text)): text
      default: nil
      }
    }
  }

  /// The numbers that the condition requires of a field.
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
