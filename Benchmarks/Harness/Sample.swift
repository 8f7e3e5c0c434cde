/// The measurements of one case in one round.
package struct Sample: Sendable {
  /// The time of each operation, or of all events together if they are not timed individually.
  package var durations: [Duration] = []

  /// The number of events in all operations.
  package var events = 0

  /// Bytes passed to `write` and its kin by the whole process; `nil` if not counted.
  package var bytesWritten: Int?

  /// Heap allocations of the whole process; `nil` if not counted.
  package var allocations: Int?

  /// A quantity specific to the case, in the unit of its claim.
  package var amount: Double?

  /// A hash of the work's result.
  ///
  /// It is printed, so that the work can't be optimized away, and must be the same in every round.
  package var digest: UInt64

  package init(digest: UInt64) { self.digest = digest }

  /// Creates a sample of a quantity other than time, such as a file's size or a child's memory.
  package init(amount: Double?, digest: UInt64 = 0) {
    self.amount = amount
    self.digest = digest
  }
}
