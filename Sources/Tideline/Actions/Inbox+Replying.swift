extension Inbox {
  /// A draft that answers a message: to whom the message wants answers, or else to its senders.
  ///
  /// Nobody is named twice, however the address is written, nor is the person, unless there is
  /// nobody else. What the person sent themselves is answered to whom they sent it. The draft has
  /// an id of its own and is not saved yet.
  ///
  /// - Parameters:
  ///   - message: The message.
  ///   - isToAll: Whether it goes to everybody else as well whom the message names.
  /// - Throws: `StoreError`.
  public func reply(to message: Message, all isToAll: Bool = false) throws -> Draft {
    let profile = try profile()
    var draft = Draft(id: newID(), account: account)
    (draft.threadID, draft.replyToMessageID) = (message.threadID, message.id)
    draft.subject = message.subject.map(Self.answer)
    if let email = profile?.emailAddress {
      draft.from = [Participant(name: profile?.name, email: email)]
    }
    let own = [profile?.emailAddress, profile?.person].compactMap { $0?.lowercased() }
    var named = Set(own)
    let senders = message.replyTo.isEmpty ? message.from : message.replyTo
    draft.to = named.insertAll(isToAll ? senders + message.to : senders)
    if draft.to.isEmpty { draft.to = named.insertAll(message.to) }
    if isToAll { draft.cc = named.insertAll(message.cc) }
    if draft.to.isEmpty, draft.cc.isEmpty { draft.to = Array(senders.prefix(1)) }
    return draft
  }

  /// The subject of an answer, which begins with `Re:` once.
  private static func answer(_ subject: String) -> String {
    var rest = subject[...]
    while true {
      let text = rest.drop(while: \.isWhitespace)
      guard text.prefix(3).lowercased() == "re:" else { return "Re: \(text)" }
      rest = text.dropFirst(3)
    }
  }
}

extension Set<String> {
  /// Inserts the addresses of people; returns those people whose address was not there.
  fileprivate mutating func insertAll(_ people: [Participant]) -> [Participant] {
    people.filter { !$0.email.isEmpty && insert($0.address).inserted }
  }
}
