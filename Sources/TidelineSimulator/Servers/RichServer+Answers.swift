import EventStore
package import Tideline
package import TidelineSync

/// The answers of the server.
extension RichServer {
  package func answer(_ question: Question, token: Token?) throws(ServerFailure) -> Answer {
    switch question {
    case .all(.rich, let known):
      let facts = try facts(for: token)
      var mark = Mixer()
      for fact in facts { mark.add(fact.fields.digest) }
      return Answer { answer in
        answer.cursor = "\(mark.value)"
        answer.isUnchanged = answer.cursor == known
        answer.facts = answer.isUnchanged ? [] : facts
        answer.status = 200
      }
    case .object(.rich, let id):
      let visitor = try visitor(token)
      try throttle()
      guard let message = told(to: visitor).first(where: { $0.id == id }) else {
        throw .because(.notFound)
      }
      return Answer { $0.facts = [fact(message, for: visitor)] }
    default: throw .because(.unsupported)
    }
  }

  /// Returns all facts for a visitor.
  package func facts(for token: Token?) throws(ServerFailure) -> [ObjectFact] {
    let visitor = try visitor(token)
    try throttle()
    return told(to: visitor).map { fact($0, for: visitor) }
  }

  /// Returns a visitor's unended messages: not yet received, or begun and not deleted, by the
  /// manner.
  package func told(to visitor: Visitor) -> [ServedRich] {
    messages.all.filter { message in
      let status = status(of: message.id, for: visitor)
      guard message.end.map({ now < $0 }) ?? true else { return false }
      return switch manner {
      case .marketingCloud: !status.isReceived
      case .engage: message.start <= now && !status.isDeleted
      }
    }
  }

  private func fact(_ message: ServedRich, for visitor: Visitor) -> ObjectFact {
    var fields = fields(of: message)
    if manner == .engage {
      fields.put(.isRead, status(of: message.id, for: visitor).isRead)
    }
    return ObjectFact(.rich, fields)
  }

  private func fields(of message: ServedRich) -> ObjectFields {
    ObjectFields {
      $0.put(.id, message.id)
      $0.put(.change, ObjectChange.whole)
      $0.put(.subject, message.subject)
      $0.put(.body, message.text)
      $0.put(.date, message.sent)
      $0.put(.startDate, message.start)
      if let end = message.end { $0.put(.endDate, end) }
      $0.put(.messageHash, "\(message.id)-\(message.edits)")
    }
  }

  /// Returns the push for a message, which has room for only a part of it.
  package func alert(of id: String) -> AlertArrived? {
    guard let message = messages[id] else { return nil }
    return AlertArrived {
      $0.message = ObjectFields { fields in
        fields.put(.id, id)
        fields.put(.title, message.subject)
        fields.put(.alert, message.subject)
        fields.put(.requestID, "q-\(id)")
      }
    }
  }

  /// The ids of the messages that have begun and not ended, in order of publication.
  package var active: [String] {
    messages.all.filter { message in
      message.start <= now && message.end.map { now < $0 } ?? true
    }.map(\.id)
  }

  /// Returns a message.
  package func message(_ id: String) -> ServedRich? { messages[id] }

  /// Returns whether a visitor has read or deleted a message, as far as the server knows.
  package func isDone(_ id: String, by visitor: Visitor) -> (isRead: Bool, isDeleted: Bool) {
    let status = status(of: id, for: visitor)
    return (status.isRead, status.isDeleted)
  }
}
