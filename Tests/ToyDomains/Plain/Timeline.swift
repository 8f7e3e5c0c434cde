import EventStore

/// A history of a toy, and what it came to at every number.
package struct Timeline<Model: ToyModel>: Sendable {
  /// What happened, from number 1 on.
  package private(set) var happenings: [Model.Happening] = []
  /// The numbers of what was refused.
  package private(set) var refused: [Int] = []
  /// What it comes to.
  package private(set) var head: Model
  /// The model at some numbers, ascending: at 0, and from time to time.
  private var marks: [(number: Int, model: Model)]
  private var isMarkDue: Bool { happenings.count - (marks.last?.number ?? 0) >= 64 }

  /// A history in which nothing has happened.
  package init(_ empty: Model) {
    head = empty
    marks = [(0, empty)]
  }

  /// How much happened.
  package var count: Int { happenings.count }

  /// Lets something happen next.
  package mutating func append(_ happening: Model.Happening) {
    happenings.append(happening)
    if !head.apply(happening, .plain(count)) { refused.append(count) }
    if isMarkDue { marks.append((happenings.count, head)) }
  }

  /// What it came to at a number.
  ///
  /// - Complexity: O(log n), and few happenings.
  package func model(at number: Int) -> Model {
    precondition(0...count ~= number, "nothing has happened there")
    if number == count { return head }
    var range = 0..<marks.count
    while range.count > 1 {
      let middle = (range.lowerBound + range.upperBound) / 2
      range =
        marks[middle].number <= number ? middle..<range.upperBound : range.lowerBound..<middle
    }
    var model = marks[range.lowerBound].model
    for index in marks[range.lowerBound].number..<number {
      _ = model.apply(happenings[index], .plain(index + 1))
    }
    return model
  }
}

extension RecordNumber {
  fileprivate static func plain(_ number: Int) -> RecordNumber {
    RecordNumber(rawValue: UInt64(number))
  }
}
