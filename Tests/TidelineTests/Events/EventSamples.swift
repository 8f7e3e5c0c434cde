import EventStore
import Tideline

/// One event of every kind, with every field that the kind can have.
enum EventSamples {
  static let time = Timestamp(rawValue: 1_700_000_000_000)

  static var all: [any InboxEvent] {
    objects + exchanges + pushes + intents + drafts + operations + identities + others
  }

  static let terms = IntentTerms {
    $0.key = OperationKey(low: 0x0706_0504_0302_0100, high: 0x0F0E_0D0C_0B0A_0908)
    $0.heldUntil = time
  }

  static let key = OperationKey(low: 1, high: 2)

  private static var others: [any InboxEvent] {
    [
      ClockTicked {
        $0.reason = .set
        $0.jump = -3_600_000
      },
      MessageOpened {
        $0.objectClass = .rich
        $0.id = "r1"
        $0.requestID = "4f2"
        $0.key = key
      },
      MessageDownloaded {
        $0.objectClass = .rich
        $0.id = "r1"
        $0.requestID = "4f2"
        $0.key = key
      },
      StateKept {
        $0.texts.put(.id, "m1")
        $0.texts.put(.body, "Hi")
        $0.rows = [
          RowKept {
            $0.collection = 3
            $0.id = "1/m1"
            $0.values = RowValues([1: .integer(1), 15: .text("Lunch?")])
            $0.aliases = ["1/local-7"]
            $0.due = time
            $0.isGone = true
          }
        ]
      },
    ]
  }
}
