package import EventStore

/// What tells questions apart.
package struct QuestionID: Hashable, Sendable {
  /// What it is asked for.
  package enum Purpose: Hashable, Sendable {
    /// To keep up a stream, by its place among the server's.
    case stream(Int)
    /// To see an object, or those of a list, as they are now.
    case object
    /// To find out whether a message was sent.
    case sent(intent: RecordNumber, item: String)
  }

  /// What it is asked for.
  package let purpose: Purpose
  /// What is asked.
  package let question: Question
  /// The last record that there was when it was asked.
  package var askedAfter: RecordNumber
}
