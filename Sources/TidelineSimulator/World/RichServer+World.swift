package import EventStore

/// What its owner does with a rich inbox.
extension RichServer {
  private enum Event: CaseIterable {
    case publish, schedule, expire, edit

    var weight: Int { self == .publish ? 6 : 1 }
  }

  /// Has something happen, and says what.
  func happen(using dice: inout Dice) -> World.Happening? {
    let choices = Event.allCases.map { ($0, $0.weight) }
    switch dice.pick(weighted: choices) {
    case .publish?: return publish(after: .zero, &dice)
    case .schedule?: return publish(after: dice.milliseconds(1000...600_000), &dice)
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

  /// Publishes a message, from now on or from later on, and for ever or until an end.
  @discardableResult
  package func publish(from start: Timestamp? = nil, end: Timestamp? = nil) -> String {
    let id = newID()
    messages[id] = ServedRich(
      id: id, subject: "news \(id)", text: "text of \(id)", sent: now, start: start ?? now,
      end: end)
    return id
  }

  private func publish(after delay: Duration, _ dice: inout Dice) -> World.Happening {
    let start = now.advanced(by: delay)
    let isLasting = dice.happens(500)
    let end = start.advanced(by: dice.milliseconds(60_000...3_600_000))
    let id = publish(from: start, end: isLasting ? nil : end)
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
