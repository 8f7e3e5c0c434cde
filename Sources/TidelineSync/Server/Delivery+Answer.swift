import EventStore
import Tideline

extension Delivery {
  /// Creates the delivery of a server's answer to a question.
  init(_ answer: Answer, to question: Question, askedAfter asked: RecordNumber) {
    self.init()
    askedAfter = asked
    add(answer.facts)
    refused = answer.refused
    exchange = Exchange {
      $0.describe(question)
      $0.status = answer.status
    }
  }

  /// Creates a delivery that reports the object of a question as gone; `nil` if it was not about
  /// one.
  init?(goneFor id: QuestionID) {
    guard case .object(let objectClass, let name) = id.question else { return nil }
    let fields = ObjectFields {
      $0.put(.id, name)
      $0.put(.change, ObjectChange.gone)
    }
    var answer = Answer()
    answer.facts = [ObjectFact(objectClass, fields)]
    self.init(answer, to: id.question, askedAfter: id.askedAfter)
  }

  /// Declares the complete set of a class's objects: `ids`, or those in the delivery if `nil`.
  mutating func setListed(_ objectClass: ObjectClass, _ ids: Set<String>?) {
    if let ids { listed[objectClass] = ids } else { listedClasses.insert(objectClass) }
  }
}

extension Exchange {
  /// Describes how the server was asked.
  mutating func describe(_ question: Question) {
    switch question {
    case .cursor: request = .cursor
    case .changes(_, let since, let limit):
      (request, cursor, self.limit) = (.deltas, since, Int64(limit))
    case .page(let objectClass, let offset, let limit):
      (request, self.objectClass) = (.page, objectClass)
      (self.offset, self.limit) = (Int64(offset), Int64(limit))
    case .list(let objectClass, let filters, let offset, let limit):
      (request, self.objectClass) = (.page, objectClass)
      (self.offset, self.limit) = (Int64(offset), Int64(limit))
      query = filters.map { "\($0)" }.joined(separator: " ")
    case .all(let objectClass, let mark):
      (request, self.objectClass, cursor) = (.all, objectClass, mark)
    case .object(let objectClass, let id):
      (request, self.objectClass, self.id) = (.object, objectClass, id)
    case .sent(let messageID, _): (request, query) = (.object, messageID)
    }
  }
}
