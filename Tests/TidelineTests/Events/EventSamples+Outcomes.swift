import EventStore
import Tideline

/// The outcomes of intents.
extension EventSamples {
  static var operations: [any InboxEvent] {
    [
      OperationStarted {
        $0.intent = 41
        $0.item = "m1"
        $0.attempt = 2
        $0.key = key
        $0.isRepeatable = true
        $0.body = EventBytes(Array("{}".utf8))
        $0.task = "7"
        $0.request = 3
      },
      OperationAcknowledged {
        $0.intent = 41
        $0.item = "m1"
        $0.version = 4
        $0.status = 404
        $0.isGone = true
      },
      OperationDeferred {
        $0.intent = 41
        $0.item = "m1"
        $0.reason = .throttled
        $0.status = 429
        $0.error = "Too many"
        $0.until = time
      },
      OperationRejected {
        $0.intent = 41
        $0.item = "m1"
        $0.reason = .invalid
        $0.status = 400
        $0.error = "No recipients"
      },
      OperationUncertain {
        $0.intent = 41
        $0.item = "m1"
        $0.reason = .lostAnswer
        $0.status = 504
        $0.error = "Timeout"
      },
      OperationAbandoned {
        $0.intent = 41
        $0.item = "m1"
        $0.reason = .loggedOut
      },
      IDReplaced {
        $0.objectClass = .draft
        $0.old = "local-00112233445566778899aabbccddeeff"
        $0.new = "d1"
        $0.intent = 41
      },
      BackoffReset { $0.reason = .connected },
    ]
  }
}
