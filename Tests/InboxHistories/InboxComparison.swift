package import EventStore
import Tideline

/// A fold of a history, whose result can be inspected after each record.
package protocol FoldedInbox {
  /// Returns the visible state after the record of that number, which is never lower than in the
  /// call before.
  mutating func picture(at number: RecordNumber) throws -> InboxPicture
  /// Returns the lists that objects of the last requested picture may be in; `nil` if the fold has
  /// no lists.
  func lists(of picture: InboxPicture) throws -> InboxLists?
  /// Releases the fold's resources.
  func end() async
}

extension FoldedInbox {
  package func lists(of picture: InboxPicture) -> InboxLists? { nil }
  package func end() async {}
}

/// Compares folds of histories with the naive model.
package struct InboxComparison {
  /// Begins to fold a history.
  let fold: @Sendable (InboxHistory) async throws -> any FoldedInbox

  package init(fold: @escaping @Sendable (InboxHistory) async throws -> any FoldedInbox) {
    self.fold = fold
  }

  /// The first difference between two pictures of a history.
  package struct Difference: Error, CustomStringConvertible {
    package var history: InboxHistory
    package let number: RecordNumber
    package let lines: [String]
    var seed: UInt64?
    /// The same difference, or another, in a history with no record to spare.
    var smallest: [String] = []

    private static let shownMax = 12

    package var description: String {
      let recent = history.prefix(Int(number.rawValue)).lines.suffix(Self.shownMax)
      let parts =
        ["seed \(seed.map(String.init) ?? "none") at #\(number); the naive model has"]
        + lines.prefix(Self.shownMax) + ["after"] + recent
        + (smallest.isEmpty ? [] : ["smallest:"] + smallest)
      return parts.joined(separator: "\n")
    }
  }

  /// Lists, and all their invariants, are checked after every record whose number this divides.
  private static let listsEvery: UInt64 = 8

  /// Returns the first difference, or `nil` if none exists; pictures are compared after every
  /// record.
  package func difference(in history: InboxHistory) async throws -> Difference? {
    var folded = try await fold(history)
    let difference = try Self.difference(of: history, &folded)
    await folded.end()
    return difference
  }

  private static func difference(
    of history: InboxHistory, _ folded: inout any FoldedInbox
  ) throws -> Difference? {
    var naive = NaiveInbox()
    for (index, step) in history.steps.enumerated() {
      let number = RecordNumber(rawValue: UInt64(index + 1))
      naive.apply(number, step.header, step.event)
      let (mine, other) = (naive.picture, try folded.picture(at: number))
      var lines = mine == other ? [] : ["what is visible:"] + mine.differences(from: other)
      if number.rawValue % listsEvery == 0, let lists = try folded.lists(of: other) {
        lines += InboxPicture.differences(mine.lists, from: lists)
      }
      guard lines.isEmpty else {
        return Difference(history: history, number: number, lines: lines)
      }
    }
    return nil
  }

  /// Checks that a random history shows no difference.
  ///
  /// - Throws: ``Difference``, in a small history.
  package func run(seed: UInt64, count: Int) async throws {
    let history = InboxAuthor.history(seed: seed, count: count)
    guard var difference = try await difference(in: history) else { return }
    let small = try await shrunk(difference)
    difference.seed = seed
    difference.smallest = small.history.lines + small.lines
    throw difference
  }
}

extension InboxComparison {
  /// Returns a difference in a history where silencing any record would remove it.
  ///
  /// Half of the records are left out first, then smaller parts, down to each one.
  package func shrunk(_ difference: Difference) async throws -> Difference {
    var smallest = difference
    smallest.history = difference.history.prefix(Int(difference.number.rawValue))
    var size = max(1, smallest.history.telling.count / 2)
    while true {
      let (found, isSmaller) = try await withoutParts(of: size, smallest)
      smallest = found
      if size == 1, !isSmaller { return smallest }
      size = max(1, size / 2)
    }
  }

  private func withoutParts(
    of size: Int, _ difference: Difference
  ) async throws -> (Difference, Bool) {
    var smallest = difference
    var isSmaller = false
    let telling = difference.history.telling
    for start in stride(from: telling.count, to: 0, by: -size) {
      let part = telling[max(0, start - size)..<start]
      let rest = part.filter { $0 < smallest.history.steps.count }
      let candidate = smallest.history.silencing(rest)
      guard !rest.isEmpty, let found = try await self.difference(in: candidate) else { continue }
      smallest = found
      smallest.history = candidate.prefix(Int(found.number.rawValue))
      isSmaller = true
    }
    return (smallest, isSmaller)
  }
}
