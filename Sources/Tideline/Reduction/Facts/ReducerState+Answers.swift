import EventStore

/// What servers were asked, and when.
extension ReducerState {
  /// The parts of an answer that rules use.
  struct Answer {
    /// The log's last record when the answer was requested.
    var sentAfter: RecordNumber
    /// Whether a single object was requested.
    var isOneObject = false
  }

  /// Returns the answer that a record came with; without one, it counts as requested at the record.
  mutating func answer(of occasion: Occasion) -> Answer {
    guard let exchange = occasion.exchange else { return Answer(sentAfter: occasion.number) }
    let unknown = Answer(sentAfter: .zero)
    guard let row = find(answerID(exchange, occasion), in: Answers.collection),
      self[row, Answers.exchange]?.rawValue == exchange.rawValue
    else { return unknown }
    let sentAfter = self[row, Answers.sentAfter]?.rawValue ?? 0
    return Answer(
      sentAfter: RecordNumber(rawValue: sentAfter),
      isOneObject: self[row, Answers.isOneObject] == true)
  }

  /// Returns the row id of an answer, which replaces an older one.
  func answerID(_ exchange: RecordNumber, _ occasion: Occasion) -> String {
    "\(occasion.account)/\(exchange.rawValue % Answers.countMax)"
  }
}
