import EventStore
import Tideline
import TidelineSync

/// Refusals by servers, and checks that devices reject nothing else.
extension Simulation {
  /// The refusal of an operation on an item, as its sender hears it.
  struct Refusal: Hashable {
    let sender: Sender
    let id: String
  }

  /// Notes the refusals in the answer to a parcel's request, from the server or the network.
  func noteRefusals(_ event: SyncEvent, _ parcel: Parcel) {
    guard case .request(_, let request) = parcel.content, case .performed(_, let result) = event
    else { return }
    let sender = Sender(place: parcel.device, account: parcel.login.account)
    for (index, part) in request.parts.enumerated() where result.refuses(index) {
      refusals.insert(Refusal(sender: sender, id: part.id))
    }
  }

  /// Checks that a device has only rejected what was refused, what depends on that, and texts of
  /// drafts that are no longer drafts.
  func checkRejections(_ place: Int) {
    let device = devices[place]
    for (account, ledger) in device.ledgers.sorted(by: { $0.key < $1.key }) {
      let sender = Sender(place: place, account: account)
      for word in ledger.rejections where word.wanted != .dependency {
        if word.wanted == .conflict, isOver(word, ledger) { continue }
        guard !wasRefused(word.item, sender, ledger) else { continue }
        violate(
          .trueAnswers,
          "\(device.name): \(word.intent) on \(word.item) was rejected as \(word.wanted)"
            + ", which nobody refused")
      }
    }
  }

  /// Whether an operation on an item was refused, under whichever of the ids that it has had.
  private func wasRefused(_ item: String, _ sender: Sender, _ ledger: Ledger) -> Bool {
    let item = ledger.localID(of: item)
    return refusals.contains { $0.sender == sender && ledger.localID(of: $0.id) == item }
  }

  /// Whether a text was to be saved in what is no longer a draft at the server.
  private func isOver(_ word: Ledger.Word<RejectionReason>, _ ledger: Ledger) -> Bool {
    let draft = mail?.message(ledger.serverID(of: word.item))
    return ledger.isSaving(word.intent) && draft?.isDraft != true
  }
}

extension Result<Settlement, ServerFailure> {
  /// Whether the result means that a part will never be done.
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
  /// Whether every retry will be refused as well.
  var isRefusal: Bool {
    switch reason {
    case .notSent, .unreadable, .lostAnswer, .throttled, .server, .unauthorized, .forbidden: false
    case .notFound, .conflict, .cursorUnknown, .invalid, .unsupported, .tooLarge, .refused: true
    }
  }
}
