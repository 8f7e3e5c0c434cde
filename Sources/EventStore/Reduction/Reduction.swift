/// The outcome of reducing records, apart from rows and lists.
struct Reduction {
  /// The current size in bytes of the frame's changes.
  var bytes: Int
  /// The number of rows added that might have been sketched.
  var additions = 0

  /// Appends a later reduction to this one.
  func followed(by next: Reduction) -> Reduction {
    Reduction(bytes: next.bytes, additions: additions + next.additions)
  }
}
