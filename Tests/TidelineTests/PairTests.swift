import EventStore
import Foundation
import TestSupport
import Testing
import Tideline

/// Every test with every constant, evaluated on every value.
@Suite struct PairTests {
  private let operators: [Expressions.ComparisonOperator] = [
    .lessThan, .lessThanOrEqual, .greaterThan, .greaterThanOrEqual,
  ]

  /// Returns one message for each text, and one without a text.
  private func messages() -> [RichMessage] {
    ([nil] + Drawn.texts.map(Optional.some)).map { text in
      var message = RichMessage(id: "1", account: 1)
      message.title = text
      return message
    }
  }

  private func expectAgreement(_ predicates: [Predicate<RichMessage>]) throws {
    try expectAgreement(predicates, messages(), messages().map { try $0.row() })
  }

  private func expectAgreement(
    _ predicates: [Predicate<RichMessage>], _ messages: [RichMessage], _ rows: [Row]
  ) throws {
    for predicate in predicates {
      let plan = try QueryPlan(where: predicate)
      let program = ConditionProgram(NormalCondition(plan.condition))
      for (message, row) in zip(messages, rows) {
        let expected = try predicate.evaluate(message)
        let isIn = program.matches(row.view)
        #expect(
          plan.residue == nil ? isIn == expected : isIn || !expected,
          "\(plan.explanation)\nof \(String(reflecting: message.title))")
        #expect(plan.contains(row) == expected)
      }
    }
  }

  @Test func texts_inOrder() throws {
    for text in Drawn.texts {
      try expectAgreement(
        operators.map { operation in
          Predicate<RichMessage> { message in
            let title = Expressions.build_KeyPath(root: message, keyPath: \.title)
            let isSo = Expressions.build_flatMap(title) {
              Expressions.build_Comparison(
                lhs: $0, rhs: Expressions.build_Arg(text), op: operation)
            }
            return Expressions.build_Equal(lhs: isSo, rhs: Expressions.build_Arg(Bool?.some(true)))
          }
        })
    }
  }

  /// Rows can also hold moments outside any calendar, and several of those map to one date.
  @Test func dates() throws {
    let moments: [Int64] = [
      .min, .min + 1, -(1 << 53) - 1, -1, 0, 1, 2, 1_750_000_000_000, 1 << 53, 1 << 53 + 1, .max,
    ]
    let rows = try moments.map { moment in
      try Row("1/1", in: RichMessage.collection) {
        let field = RichMessage.collection.field(named: "sendDateUtc")
        $0[Field<Timestamp>("sendDateUtc", field?.number ?? 1)] = Timestamp(rawValue: moment)
      }
    }
    let messages = rows.compactMap(RichMessage.init)
    let whole = moments.compactMap { Date(kept: Timestamp(rawValue: $0)) }
    let dates =
      whole + whole.map { $0.addingTimeInterval(0.0004) } + [
        .distantPast, .distantFuture, Date(timeIntervalSince1970: .infinity),
        Date(timeIntervalSince1970: -.infinity), Date(timeIntervalSince1970: .nan),
      ]
    for date in dates {
      let either = [nil, date, Date(timeIntervalSince1970: 0)]
      try expectAgreement(
        [
          #Predicate { $0.sendDateUtc == date }, #Predicate { either.contains($0.sendDateUtc) },
          #Predicate { $0.sendDateUtc.flatMap { $0 < date } ?? false },
          #Predicate { $0.sendDateUtc.flatMap { $0 <= date } ?? false },
          #Predicate { $0.sendDateUtc.flatMap { $0 > date } ?? false },
          #Predicate { !($0.sendDateUtc.flatMap { $0 >= date } ?? true) },
        ], messages, rows)
    }
  }

  @Test func texts_notInOrder() throws {
    for text in Drawn.texts {
      try expectAgreement([
        #Predicate { !(($0.title ?? "a") < text) }, #Predicate { !(($0.title ?? "b") >= text) },
      ])
    }
  }

  @Test func texts_begin() throws {
    for text in Drawn.texts {
      try expectAgreement([
        #Predicate { $0.title?.starts(with: text) ?? false },
        #Predicate { !($0.title?.starts(with: text) ?? true) },
        #Predicate { ($0.title ?? "Ka").starts(with: text) },
      ])
    }
  }

  @Test func texts_equal() throws {
    for text in Drawn.texts {
      let folded = FoldedText(text)
      let either = [text, nil]
      try expectAgreement([
        #Predicate { $0.title == text }, #Predicate { $0.title != text },
        #Predicate { ($0.title ?? "K") == text }, #Predicate { either.contains($0.title) },
        #Predicate { $0.foldedSubject == folded }, #Predicate { $0.foldedSubject < folded },
        #Predicate { $0.foldedSubject.text.starts(with: text) },
        #Predicate { $0.foldedSubject.text == text },
      ])
    }
  }
}
