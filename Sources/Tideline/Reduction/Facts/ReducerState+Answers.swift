import EventStore

/// What servers were asked, and when.
extension ReducerState {
  /// An answer as the rules ask of it.
  struct Answer {
    /// The last record that the log had when it was asked for.
    var sentAfter: RecordNumber
    /// Whether one object was asked for.
    var isOneObject = false
  }

  /// The answer that a record came with; without one it counts as asked for at the record itself.
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

  /// The id of the row of an answer, in the place of an older one.
  func answerID(_ exchange: RecordNumber, _ occasion: Occasion) -> String {
    "\(occasion.account)/\(exchange.rawValue % Answers.countMax)"
  }
}
