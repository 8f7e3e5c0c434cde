import EventStore

/// A history of a toy, and its state at every number.
package struct Timeline<Model: ToyModel>: Sendable {
  /// The events, from number 1 on.
  package private(set) var happenings: [Model.Happening] = []
  /// The numbers of refused events.
  package private(set) var refused: [Int] = []
  /// The state so far.
  package private(set) var head: Model
  /// Models at some numbers, ascending: at 0, and at intervals.
  private var marks: [(number: Int, model: Model)]
  private var isMarkDue: Bool { happenings.count - (marks.last?.number ?? 0) >= 64 }

  /// A history without events.
  package init(_ empty: Model) {
    head = empty
    marks = [(0, empty)]
  }

  /// The number of events.
  package var count: Int { happenings.count }

  /// Appends the next event.
  package mutating func append(_ happening: Model.Happening) {
    happenings.append(happening)
    if !head.apply(happening, .plain(count)) { refused.append(count) }
    if isMarkDue { marks.append((happenings.count, head)) }
  }

  /// Returns the state at a number.
  ///
  /// - Complexity: O(log n), and few events.
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
