import EventStore
import Tideline

/// Exchanges with servers, and pushes.
extension EventSamples {
  static var exchanges: [any InboxEvent] {
    [
      Exchange {
        $0.request = .page
        $0.objectClass = .thread
        $0.query = "tag=inbox"
        $0.id = "9x"
        $0.offset = 50
        $0.limit = 100
        $0.cursor = "a5"
        $0.sentAfter = 41
        $0.completeness = .range
        $0.first = RangeEnd(time, id: "9x")
        $0.last = RangeEnd(nil, id: "9z")
        $0.status = 200
        $0.error = "slow"
        $0.retryAfter = 1000
        $0.count = 3
        $0.unchanged = [ObjectNames(.thread, ["9x", "9y"])]
      },
      ItemRefused {
        $0.objectClass = .message
        $0.id = "m1"
        $0.reason = "the date is absurd"
        $0.offset = 17
        $0.content = EventBytes(Array("{}".utf8))
      },
      CursorSet {
        $0.stream = "deltas"
        $0.cursor = "a9"
        $0.isAtEnd = true
      },
      CursorReset {
        $0.stream = "deltas"
        $0.reason = .refused
        $0.cursor = "a9"
      },
      RefreshBegan {
        $0.trigger = .manual
        $0.classes = [.thread, .message]
      },
      RefreshEnded {
        $0.outcome = .failed
        $0.status = 503
        $0.error = "Try again"
      },
      RefreshThrottled {
        $0.trigger = .manual
        $0.retryAfter = 12_000
      },
      ContentStored {
        $0.id = "f1"
        $0.content = "0011"
        $0.digest = EventBytes([1, 2, 3, 4])
        $0.size = 123
      },
    ]
  }

  static var pushes: [any InboxEvent] {
    [
      AlertArrived {
        $0.message.put(.id, "422:114:0")
        $0.message.put(.alert, "Sale!")
        $0.message.put(.requestID, "4f2")
        $0.isForeground = true
        $0.badge = 3
      },
      SilentPushArrived {
        $0.purpose = .badge
        $0.badge = 4
        $0.unknown = EventBytes(Array("{}".utf8))
      },
      AlertOpened {
        $0.id = "422:114:0"
        $0.requestID = "4f2"
        $0.action = "buy"
        $0.isLaunch = true
        $0.marksRead = true
        $0.namespace = "n1"
        $0.terms = terms
      },
    ]
  }
}
