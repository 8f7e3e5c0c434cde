package import EventStore
import Tideline
import TidelineSync

/// What the server does by itself, later.
extension MailServer {
  /// Something that is done at a time.
  struct Chore {
    /// What is done.
    enum Work {
      /// A change that was answered already.
      case change(ServerRequest.Part)
      /// To tell of an object as it was.
      case tell(ObjectName, ObjectFields)
      /// To tell of it as it is.
      case tellAgain(ObjectName)
    }

    let due: Timestamp
    let work: Work

    /// Whether a change of the same object has to come behind it.
    func delays(_ part: ServerRequest.Part) -> Bool {
      if case .change(let earlier) = work { earlier.name == part.name } else { false }
    }
  }

  package var nextChore: Timestamp? { chores.first?.due }

  package func advance(to now: Timestamp) {
    while let chore = chores.first, chore.due <= now {
      chores.removeFirst()
      self.now = max(self.now, chore.due)
      perform(chore.work)
    }
    self.now = max(self.now, now)
  }

  private func perform(_ work: Chore.Work) {
    switch work {
    case .change(let part): change(part)
    case .tell(let name, let fields): log.add(.modify, name, telling: fields)
    case .tellAgain(let name):
      log.add(.modify, name)
      // What a message says of its thread is not the last that is told of it.
      if let thread = messages[name.id]?.thread { touched(thread: thread) }
    }
  }

  /// Does later what is answered now.
  func put(off part: ServerRequest.Part) {
    let earlier = chores.last { $0.delays(part) }?.due ?? now
    let due = max(earlier, now).advanced(by: dice.milliseconds(1...60_000))
    add(Chore(due: due, work: .change(part)))
  }

  /// Tells later how an object was before, and behind that how it is.
  func echo(_ name: ObjectName, _ before: ObjectFields) {
    let first = now.advanced(by: dice.milliseconds(1...30_000))
    let second = first.advanced(by: dice.milliseconds(1...30_000))
    add(Chore(due: first, work: .tell(name, before)))
    add(Chore(due: second, work: .tellAgain(name)))
  }

  private func add(_ chore: Chore) {
    let place = chores.firstIndex { $0.due > chore.due } ?? chores.endIndex
    chores.insert(chore, at: place)
  }
}
