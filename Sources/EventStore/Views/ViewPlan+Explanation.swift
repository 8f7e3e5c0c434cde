extension ViewPlan {
  /// A description of the plan, in readable lines.
  package var explanation: String {
    let order = definition.effectiveOrder.map { "\(name($0.field.index)) \($0.direction)" } + ["id"]
    let lines = [
      "view \(definition.name), version \(definition.version), plan \(hash.hexadecimal)",
      "rows of \(definition.collection.name) where \(text(NormalCondition(definition.condition)))",
      groupingText, "ordered by \(order.joined(separator: ", then "))",
      "keys of \(wordCount) words: \(wordNames.joined(separator: ", ")); "
        + "then what these leave open",
      "concerned by changes of \(names(of: fields))",
    ]
    return lines.joined(separator: "\n")
  }

  private var groupingText: String {
    guard let grouping = definition.grouping else { return "in one list" }
    let each =
      grouping.kind == .texts
      ? "a list for each of \(grouping.name)" : "a list for each value of \(grouping.name)"
    return definition.scope.map { "\(each) and \($0.name)" } ?? each
  }

  private var wordNames: [String] {
    let group = grouping == nil ? [] : ["group"]
    let fields = order.prefix(wordedCount).map { name($0.index) }
    return group + (fields.isEmpty ? ["id"] : fields)
  }

  private func names(of fields: UInt64) -> String {
    let names = (0..<64).filter { fields >> UInt64($0) & 1 == 1 }.map(name)
    return names.isEmpty ? "no field" : names.joined(separator: ", ")
  }

  private func name(_ index: Int) -> String {
    definition.collection.fields.first { $0.index == index }?.name ?? "field \(index + 1)"
  }
}

// Conditions.
extension ViewPlan {
  /// Returns a condition in words.
  func text(_ condition: NormalCondition) -> String {
    switch condition {
    case .constant(let value): "\(value)"
    case .test(let test): text(test)
    case .all(let parts): parts.map(part).joined(separator: " && ")
    case .any(let parts): parts.map(part).joined(separator: " || ")
    }
  }

  private func part(_ condition: NormalCondition) -> String {
    switch condition {
    case .constant, .test: text(condition)
    case .all, .any: "(\(text(condition)))"
    }
  }

  private func text(_ test: FieldTest) -> String {
    let (name, isWanted) = (name(test.index), test.isWanted)
    let not = isWanted ? "" : "not "
    return switch test.question {
    case .codes(let codes, let orNil): text(codes, orNil, test, name)
    case .isPresent: "\(name) \(isWanted ? "!=" : "==") nil"
    case .isOneOf(let texts): "\(name) \(not)in \(texts)"
    case .comparison(.equal, let text):
      "\(name) \(isWanted ? "==" : "!=") \(text.debugDescription)"
    case .comparison(let comparison, let text):
      "\(name) \(not)\(comparison.symbol) \(text.debugDescription)"
    case .hasPrefix(let text):
      "\(name) \(isWanted ? "begins" : "does not begin") with \(text.debugDescription)"
    case .intersects(let texts): "\(name) \(isWanted ? "intersects" : "has none of") \(texts)"
    }
  }

  private func text(
    _ codes: IntervalSet, _ orNil: Bool, _ test: FieldTest, _ name: String
  ) -> String {
    // If a missing value passes too, the excluded values say more than the included ones.
    let isWanted = test.isWanted != orNil
    let codes = orNil ? codes.complement : codes
    let not = isWanted ? "" : "not "
    if codes.isFull { return "\(name) \(isWanted ? "!=" : "==") nil" }
    let intervals = codes.intervals.map { text($0, test.kind) }
    guard codes.intervals.count == 1, let interval = codes.intervals.first else {
      return "\(name) \(not)in [\(intervals.joined(separator: ", "))]"
    }
    let (lower, upper) = (interval.lowerBound, interval.upperBound)
    if lower == upper {
      return "\(name) \(isWanted ? "==" : "!=") \(text(lower...upper, test.kind))"
    }
    if lower == 0 { return "\(name) \(not)<= \(text(upper...upper, test.kind))" }
    if upper == codes.greatest { return "\(name) \(not)>= \(text(lower...lower, test.kind))" }
    return "\(name) \(not)in \(intervals[0])"
  }

  private func text(_ interval: ClosedRange<UInt64>, _ kind: FieldKind) -> String {
    let lower = FixedOrder.text(ofCode: interval.lowerBound, kind)
    guard interval.lowerBound < interval.upperBound else { return lower }
    return "\(lower)...\(FixedOrder.text(ofCode: interval.upperBound, kind))"
  }
}

extension FixedOrder {
  /// Returns a value as text.
  fileprivate static func text(ofCode code: UInt64, _ kind: FieldKind) -> String {
    let sign: UInt64 = 1 << 63
    return switch kind {
    case .integer: "\(Int64(bitPattern: code ^ sign))"
    case .timestamp: Timestamp(rawValue: Int64(bitPattern: code ^ sign)).description
    case .double: "\(Double(bitPattern: code & sign == 0 ? ~code : code ^ sign))"
    case .boolean: "\(code != 0)"
    case .text, .texts, .reference, .link: "\(code)"
    }
  }
}

extension Condition.Comparison {
  fileprivate var symbol: String {
    switch self {
    case .equal: "=="
    case .less: "<"
    case .lessOrEqual: "<="
    case .greater: ">"
    case .greaterOrEqual: ">="
    }
  }
}

extension ViewDefinition {
  /// A description of the view's effect, in readable lines.
  public var explanation: String { ViewPlan(self, seed: 0).explanation }
}
