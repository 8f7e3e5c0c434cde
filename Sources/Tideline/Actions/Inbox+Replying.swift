extension Inbox {
  /// Returns a draft that replies to a message: to its reply addresses, or else to its senders.
  ///
  /// No recipient appears twice, however the address is written. The person doesn't appear either,
  /// under the address of any account that is logged in, unless there is nobody else. A reply to a
  /// message that the person sent goes to its recipients. The draft has a new id, and is not saved
  /// yet.
  ///
  /// - Parameters:
  ///   - message: The message.
  ///   - isToAll: Whether the reply also goes to everybody else whom the message names.
  /// - Throws: `StoreError`.
  public func reply(to message: Message, all isToAll: Bool = false) throws -> Draft {
    let profile = try self.profile
    var draft = Draft(id: newID(), account: account)
    (draft.threadID, draft.replyToMessageID) = (message.threadID, message.id)
    draft.subject = message.subject.map(Self.answer)
    if let email = profile?.emailAddress {
      draft.from = [Participant(name: profile?.name, email: email)]
    }
    var named = try ownAddresses()
    let senders = message.replyTo.isEmpty ? message.from : message.replyTo
    draft.to = named.insertAll(isToAll ? senders + message.to : senders)
    if draft.to.isEmpty { draft.to = named.insertAll(message.to) }
    if isToAll { draft.cc = named.insertAll(message.cc) }
    if draft.to.isEmpty, draft.cc.isEmpty { draft.to = Array(senders.prefix(1)) }
    return draft
  }

  /// Returns the addresses of the person, in all accounts that are logged in.
  private func ownAddresses() throws -> Set<String> {
    let own = try store.accounts.filter { $0.isLoggedIn || $0.account == account }
    return Set(own.flatMap { [$0.emailAddress, $0.person].compactMap { $0?.lowercased() } })
  }

  /// Returns the subject of a reply, which begins with a single `Re:`.
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
  /// Inserts people's addresses, and returns the people whose address is new.
  fileprivate mutating func insertAll(_ people: [Participant]) -> [Participant] {
    people.filter { !$0.email.isEmpty && insert($0.address).inserted }
  }
}
