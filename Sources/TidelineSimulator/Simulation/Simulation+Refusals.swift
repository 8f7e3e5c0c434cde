import EventStore
import Tideline
import TidelineSync

/// What servers refuse, and whether devices give up nothing else.
extension Simulation {
  /// That a server won't do something to a thing, as somebody hears.
  struct Refusal: Hashable {
    let sender: Sender
    let id: String
  }

  /// Notes what an answer refuses of a parcel's request, whoever has it: also a network may say so.
  func noteRefusals(_ event: SyncEvent, _ parcel: Parcel) {
    guard case .request(_, let request) = parcel.content, case .performed(_, let result) = event
    else { return }
    let sender = Sender(place: parcel.device, account: parcel.login.account)
    for (index, part) in request.parts.enumerated() where result.refuses(index) {
      refusals.insert(Refusal(sender: sender, id: part.id))
    }
  }

  /// Checks that a device has given up as rejected what was refused, what needs that, and texts of
  /// drafts that are none any more.
  func checkRejections(_ place: Int) {
    let device = devices[place]
    for (account, ledger) in device.ledgers.sorted(by: { $0.key < $1.key }) {
      let sender = Sender(place: place, account: account)
      for word in ledger.rejections where word.wanted != .dependency {
        if word.wanted == .conflict, isOver(word, ledger) { continue }
        let ids = [word.item, ledger.serverID(of: word.item), ledger.localID(of: word.item)]
        guard !ids.contains(where: { refusals.contains(Refusal(sender: sender, id: $0)) }) else {
          continue
        }
        violate(
          .trueAnswers,
          "\(device.name): \(word.intent) on \(word.item) was rejected as \(word.wanted)"
            + ", which nobody refused")
      }
    }
  }

  /// Whether a text was to be saved of what is no draft at the server any more.
  private func isOver(_ word: Ledger.Word<RejectionReason>, _ ledger: Ledger) -> Bool {
    let draft = mail?.message(ledger.serverID(of: word.item))
    return ledger.isSaving(word.intent) && draft?.isDraft != true
  }
}

extension Result<Settlement, ServerFailure> {
  /// Whether it says of a part that it will never be done.
  fileprivate func refuses(_ index: Int) -> Bool {
    switch self {
    case .failure(let failure): failure.isRefusal
    case .success(let settlement) where index < settlement.outcomes.count:
      switch settlement.outcomes[index] {
      case .failed(let failure): failure.isRefusal
      case .gone: true
      case .done, .unmentioned: false
      }
    case .success: false
    }
  }
}

extension ServerFailure {
  /// Whether the same will be refused however often it is tried.
  fileprivate var isRefusal: Bool {
    switch reason {
    case .notSent, .unreadable, .lostAnswer, .throttled, .server, .unauthorized, .forbidden: false
    case .notFound, .conflict, .cursorUnknown, .invalid, .unsupported, .tooLarge, .refused: true
    }
  }
}
