import EventStore
import Tideline
import TidelineSync

/// Checks that each change that a person wanted shows at once and comes to an end, and that what
/// counts as done was done.
extension Simulation {
  /// Notes the changes that an intent makes, which must show by now.
  func note(
    _ changes: [(name: ObjectName, wanted: Promise.Wanted)], by intent: RecordNumber, _ place: Int
  ) throws {
    let device = devices[place]
    let sender = Sender(place: place, account: device.account)
    for (name, wanted) in changes {
      promises[sender, default: []].append(Promise(intent: intent, name: name, wanted: wanted))
      guard try device.has(wanted, name) == false else { continue }
      violate(.shownAtOnce, "\(device.name): \(name.line) does not show \(intent)")
    }
  }

  /// Forgets the changes of intents that a device is about to lose.
  func forgetLostPromises(_ place: Int) {
    for account in [UInt32(1), 2] {
      promises[Sender(place: place, account: account)]?.removeAll {
        !devices[place].store.hasFlushed($0.intent)
      }
    }
  }

  /// Checks that something has come of each change that was wanted, unless its object is gone.
  func checkPromises(_ place: Int) throws {
    let device = devices[place]
    for promise in promises[Sender(place: place, account: device.account)] ?? [] {
      let (name, isReading) = (promise.name, promise.wanted == .reading(true))
      let isOver = device.ledger.isOver(promise.intent, on: name.id, isReading: isReading)
      let served = ObjectName(name.objectClass, device.ledger.serverID(of: name.id))
      guard !isOver, promise.wanted == .making || mail?.has(served) != false else { continue }
      // A rich message that has ended is removed together with what was wanted of it.
      if rich != nil, try device.object(RichMessage.self, name.id)?.isActive != true { continue }
      violate(.lastWord, "\(device.name): nothing has come of \(promise.intent) on \(name.line)")
    }
  }

  /// Notes which operations a request performs.
  func noteOperations(of departure: Departure, _ sender: Sender) {
    let request = departure.request
    guard request.key != OperationKey() else { return }
    let ledger = devices[sender.place].ledgers[sender.account]
    for start in departure.beginning.compactMap({ $0 as? OperationStarted }) {
      guard let item = start.item else { continue }
      let ids = [item, ledger?.serverID(of: item)]
      for part in request.parts where request.parts.count == 1 || ids.contains(part.id) {
        carried[DeedName(key: request.key, id: part.id), default: []].insert(
          OperationName(sender: sender, intent: start.intent, item: item))
      }
    }
  }

  /// Checks that operations that count as done were done, and that objects that count as gone are.
  func checkAnswers() {
    var done: Set<OperationName> = []
    for deed in server.deeds {
      done.formUnion(carried[DeedName(key: deed.key, id: deed.part.id)] ?? [])
    }
    for (place, device) in devices.enumerated() {
      for (account, ledger) in device.ledgers.sorted(by: { $0.key < $1.key }) {
        let sender = Sender(place: place, account: account)
        for word in ledger.answers where !word.wanted {
          let name = OperationName(sender: sender, intent: word.intent, item: word.item)
          guard !done.contains(name) else { continue }
          violate(
            .trueAnswers, "\(device.name): \(word.intent) on \(word.item) was done by nobody")
        }
        for word in ledger.answers where word.wanted {
          guard mail?.threads[ledger.serverID(of: word.item)] != nil else { continue }
          violate(.trueAnswers, "\(device.name): thread \(word.item) is not gone")
        }
      }
    }
  }

  /// A part of a request.
  struct DeedName: Hashable {
    let key: OperationKey
    let id: String
  }
}
