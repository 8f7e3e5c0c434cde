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
  /// The number of the store's setbacks until then.
  package var setbacks = 0

  /// Returns the same id, as if asked only after the records that have stayed since.
  ///
  /// The others' numbers may belong to records that came after the question.
  func after(_ setbacks: Setbacks) -> QuestionID {
    var id = self
    id.askedAfter = setbacks.kept(askedAfter, since: self.setbacks)
    return id
  }
}
