package import EventStore

/// The actions of a rich inbox's owner.
extension RichServer {
  private enum Event: CaseIterable {
    case publish, schedule, expire, edit

    var weight: Int { self == .publish ? 6 : 1 }
  }

  /// Makes an event happen, and describes it.
  func happen(using dice: inout Dice, _ isLifelike: Bool) -> World.Happening? {
    let choices = Event.allCases.map { ($0, $0.weight) }
    switch dice.pick(weighted: choices) {
    case .publish?: return publish(after: .zero, &dice, isLifelike)
    case .schedule?:
      return publish(after: dice.milliseconds(1000...600_000), &dice, isLifelike)
    case .expire?:
      return change("expires", &dice) { [now] message in
        (message.end, message.isRecalled) = (now, true)
      }
    case .edit?:
      return change("is edited", &dice) { message in
        message.edits += 1
        message.text = "edit \(message.edits)"
      }
    case nil: return nil
    }
  }

  /// Publishes a message, from now or later on, forever or until an end.
  @discardableResult
  package func publish(from start: Timestamp? = nil, end: Timestamp? = nil) -> String {
    let id = newID()
    messages[id] = ServedRich(
      id: id, subject: "news \(id)", text: "text of \(id)", sent: now, start: start ?? now,
      end: end)
    return id
  }

  private func publish(
    after delay: Duration, _ dice: inout Dice, _ isLifelike: Bool
  ) -> World.Happening {
    let start = now.advanced(by: delay)
    let isLasting = dice.happens(500)
    let end = start.advanced(by: dice.milliseconds(60_000...3_600_000))
    let id = publish(from: start, end: isLasting ? nil : end)
    if isLifelike { write(Letter(promoting: &dice), in: id) }
    let isAlert = dice.happens(500) && delay == .zero
    return World.Happening(line: "rich message \(id) is published", alert: isAlert ? id : nil)
  }

  private func change(
    _ words: String, _ dice: inout Dice, _ body: (inout ServedRich) -> Void
  ) -> World.Happening? {
    guard let id = dice.pick(messages.ids) else { return nil }
    messages.change(id, body)
    return World.Happening(line: "rich message \(id) \(words)")
  }
}

/// Rich messages that read as if people had written them.
extension RichServer {
  /// Publishes an offer.
  package func publish(using dice: inout Dice) -> String {
    let id = publish()
    write(Letter(promoting: &dice), in: id)
    return id
  }

  /// Publishes a number of offers, evenly spaced over a span of time: `temporary` of a thousand
  /// last for a time that may be over, the others forever.
  package func fill(
    _ count: Int, temporary: Int = 300, from start: Timestamp, to end: Timestamp,
    using dice: inout Dice
  ) {
    for number in 0..<count {
      advance(to: start.part(number, of: count, to: end))
      let days = dice.number(1...2000)
      let isLasting = dice.happens(1000 - temporary)
      let id = publish(end: isLasting ? nil : now.advanced(by: .seconds(days * 86_400)))
      write(Letter(promoting: &dice), in: id)
    }
    advance(to: end)
  }

  private func write(_ letter: Letter, in id: String) {
    messages.change(id) { message in
      message.subject = letter.subject
      message.text = letter.text
    }
  }
}
