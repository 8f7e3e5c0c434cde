package import EventStore
import Tideline
import TidelineSync

/// Work that the server does later by itself.
extension MailServer {
  /// A piece of work with its time.
  struct Chore {
    /// The kind of work.
    enum Work {
      /// Makes a change that was already answered.
      case change(ServerRequest.Part)
      /// Reports an object in its old state.
      case tell(ObjectName, ObjectFields)
      /// Reports the object in its current state.
      case tellAgain(ObjectName)
    }

    let due: Timestamp
    let work: Work

    /// Whether a change of the same object must follow this chore.
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
      // The thread must be reported after its messages.
      if let thread = messages[name.id]?.thread { touched(thread: thread) }
    }
  }

  /// Schedules a change that is answered now.
  func put(off part: ServerRequest.Part) {
    let earlier = chores.last { $0.delays(part) }?.due ?? now
    let due = max(earlier, now).advanced(by: dice.milliseconds(1...60_000))
    add(Chore(due: due, work: .change(part)))
  }

  /// Schedules a report of an object's old state, and after it one of the current state.
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
