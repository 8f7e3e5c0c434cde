/// What reducing records came to, beside rows and lists.
struct Reduction {
  /// The bytes that the changes of the frame take by now.
  var bytes: Int
  /// How many rows were added that might have been sketched.
  var additions = 0

  /// This, and behind it another.
  func followed(by next: Reduction) -> Reduction {
    Reduction(bytes: next.bytes, additions: additions + next.additions)
  }
}
