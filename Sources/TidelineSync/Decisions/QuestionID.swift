package import EventStore

/// Identifies a question.
package struct QuestionID: Hashable, Sendable {
  /// The purpose of a question.
  package enum Purpose: Hashable, Sendable {
    /// To keep up a stream, by its place among the server's streams.
    case stream(Int)
    /// To see the current state of an object or of a list's objects.
    case object
    /// To find out whether a message was sent.
    case sent(intent: RecordNumber, item: String)
  }

  /// The purpose.
  package let purpose: Purpose
  /// The question.
  package let question: Question
  /// The last record when the question was asked.
  package var askedAfter: RecordNumber
}
