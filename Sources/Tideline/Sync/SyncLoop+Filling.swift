import EventStore

/// What requests need of the log: keys, texts and the ids that messages are sent with.
extension SyncLoop.Parts {
  /// A question with what only the log knows.
  func filled(_ id: QuestionID) -> Question {
    guard case .sent(let intent, _) = id.purpose else { return id.question }
    return .sent(messageID: (self.intent(intent) as? SendDraft)?.messageID ?? "")
  }

  /// A request with what only the log knows.
  func filled(
    _ request: ServerRequest, of number: RecordNumber, _ label: String
  ) throws(ServerFailure) -> ServerRequest {
    var request = request
    let intent = intent(number)
    request.key = intent?.terms.key.of(label) ?? OperationKey()
    for place in request.parts.indices {
      switch request.parts[place].wanted {
      case .sending:
        request.parts[place].wanted = .sending(messageID: (intent as? SendDraft)?.messageID)
      case .draft(let draft, _): request.parts[place].text = try text(of: draft)
      default: break
      }
    }
    return request
  }

  private func text(of draft: Draft) throws(ServerFailure) -> String? {
    guard let body = draft.body else { return nil }
    do { return try inbox.text(body) } catch { throw ServerFailure(.notSent, message: "\(error)") }
  }

  private func intent(_ number: RecordNumber) -> (any Intent)? {
    let record = try? inbox.store.core.log.read { snapshot in try snapshot.record(number) }
    guard let record = record ?? nil else { return nil }
    return try? EventCatalog.event(of: record) as? any Intent
  }
}

extension OperationKey {
  /// The key of a request with a label.
  package func of(_ label: String) -> OperationKey {
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    for byte in label.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
    return OperationKey(low: low, high: high ^ hash)
  }
}
