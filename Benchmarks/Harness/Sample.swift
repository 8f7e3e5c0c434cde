/// What one case did in one round.
package struct Sample: Sendable {
  /// How long each timed operation took; one that covers all events where they are not timed apart.
  package var durations: [Duration] = []

  /// How many events the operations handled together.
  package var events = 0

  /// Bytes handed to `write` and its kin by the whole process; `nil` where nobody counts them.
  package var bytesWritten: Int?

  /// Heap blocks asked for by the whole process; `nil` where nobody counts them.
  package var allocations: Int?

  /// A quantity of the case's own, in the unit that its claim names.
  package var amount: Double?

  /// A hash of the work's result.
  ///
  /// It is printed, so the work can't be optimised away, and must be the same in every round.
  package var digest: UInt64

  package init(digest: UInt64) { self.digest = digest }

  /// A quantity that no clock took, such as a file's size or a child process's memory.
  package init(amount: Double?, digest: UInt64 = 0) {
    self.amount = amount
    self.digest = digest
  }
}
