import EventStore
import Foundation
import TestSupport
import Testing
import Tideline

/// Each question with each constant, asked of each value.
@Suite struct PairTests {
  private let operators: [Expressions.ComparisonOperator] = [
    .lessThan, .lessThanOrEqual, .greaterThan, .greaterThanOrEqual,
  ]

  /// Messages with each text, and one without.
  private func messages() -> [RichMessage] {
    ([nil] + Drawn.texts.map(Optional.some)).map { text in
      var message = RichMessage(id: "1", account: 1)
      message.title = text
      return message
    }
  }

  private func expectAgreement(_ predicates: [Predicate<RichMessage>]) throws {
    let messages = messages()
    let rows = try messages.map { try $0.row() }
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
