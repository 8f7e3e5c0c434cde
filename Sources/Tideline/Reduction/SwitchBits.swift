public import EventStore

/// The switches of a policy, as stored in an account's row.
struct SwitchBits: HiddenValue {
  var word: UInt64

  init(word: UInt64) { self.word = word }

  init(_ policy: PolicySwitches) {
    // The unused place was a switch once, and baselines may contain such words.
    let flags = [
      policy.absenceDeletes, policy.serverEditsApply, policy.deletionSticks,
      policy.marksReadOnOpening, policy.couplesUnread, false, policy.marksUnread,
      policy.hasActiveWindow, policy.readsOwnWrites,
    ]
    word = flags.enumerated().reduce(0) { $0 | ($1.element ? 1 << UInt64($1.offset) : 0) }
    word |= UInt64(bitPattern: policy.readOwner.rawValue) << 32
  }

  private func flag(_ place: UInt64) -> Bool { word >> place & 1 == 1 }

  var absenceDeletes: Bool { flag(0) }
  var serverEditsApply: Bool { flag(1) }
  var deletionSticks: Bool { flag(2) }
  var openingMarksRead: Bool { flag(3) }
  /// Whether opening marks as read, if the app has chosen that apart from the policy.
  var chosenOpening: Bool? {
    get { flag(9) ? flag(3) : nil }
    set {
      guard let newValue else { return word &= ~(1 << 9) }
      word = word & ~(1 << 3) | 1 << 9 | (newValue ? 1 << 3 : 0)
    }
  }
  var couplesUnread: Bool { flag(4) }
  var marksUnread: Bool { flag(6) }
  var hasActiveWindow: Bool { flag(7) }
  var readsOwnWrites: Bool { flag(8) }
  var readOwner: ReadOwner { ReadOwner(rawValue: Int64(word >> 32)) ?? .server }
}

extension PolicySwitches {
  /// Distinguishes the policy from others.
  var mark: Mark {
    let bytes = PayloadWriter.bytes { put(1, into: &$0) }
    return Mark(rawValue: Mixer.hash(bytes.payloadBytes))
  }
}

extension ObjectClass: FieldValue {}
extension PrivacyMode: FieldValue {}
extension DeferralReason: FieldValue {}
extension RejectionReason: FieldValue {}
