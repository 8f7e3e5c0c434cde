import EventStore
import Tideline

/// One event of every kind, with every field that the kind can have.
enum EventSamples {
  static let time = Timestamp(rawValue: 1_700_000_000_000)

  static var all: [any InboxEvent] {
    objects + exchanges + pushes + intents + drafts + operations + identities + others
  }

  private static let terms = IntentTerms {
    $0.key = OperationKey(low: 0x0706_0504_0302_0100, high: 0x0F0E_0D0C_0B0A_0908)
    $0.heldUntil = time
  }

  private static let key = OperationKey(low: 1, high: 2)

  private static let policy = PolicySwitches {
    $0.absenceDeletes = true
    $0.serverEditsApply = true
    $0.readOwner = .server
    $0.deletionSticks = true
    $0.marksReadOnOpening = true
    $0.couplesUnread = true
    $0.marksUnread = true
    $0.hasActiveWindow = true
    $0.readsOwnWrites = true
    $0.refreshInterval = .seconds(60)
    $0.settleInterval = .seconds(600)
    $0.tombstoneInterval = .seconds(7_776_000)
    $0.emptyAnswerRowsMax = 20
  }

  private static var objects: [any InboxEvent] {
    [
      ObjectFact(
        .account,
        ObjectFields {
          $0.put(.id, "n1")
          $0.put(.email, "alice@example.com")
          $0.put(.provider, "gmail")
        }),
      ObjectFact(
        .thread,
        ObjectFields {
          $0.put(.id, "9x")
          $0.put(.change, ObjectChange.created)
          $0.put(.version, 3)
          $0.put(.namespace, "n1")
          $0.put(.subject, "Lunch?")
          $0.put(.lastMessageDate, time)
          $0.put(.participants, [ObjectPerson(name: "Ann", email: "a@x")])
          $0.put(.tags, [ObjectLabel("inbox", name: "inbox"), ObjectLabel("unread")])
          $0.put(.messageIDs, ["m1"])
        }),
      ObjectFact(
        .message,
        ObjectFields {
          $0.put(.id, "m1")
          $0.put(.subject, "Lunch?")
          $0.putNull(.body)
          $0.put(.thread, "9x")
          $0.put(.date, time)
          $0.put(.isUnread, true)
          $0.put(.from, [ObjectPerson(email: "a@x")])
          $0.put(.cc, [ObjectPerson]())
          $0.put(.files, [file])
          $0.put(.unknown, json: Array(#"{"events":[]}"#.utf8))
        }),
      ObjectFact(
        .tag,
        ObjectFields {
          $0.put(.id, "abc")
          $0.put(.change, ObjectChange.whole)
          $0.put(.name, "work")
          $0.put(.unreadCount, 2)
        }),
      ObjectFact(
        .contact,
        ObjectFields {
          $0.put(.id, "c1")
          $0.put(.name, "Ann")
          $0.put(.email, "a@x")
        }),
      ObjectFact(.file, file),
      ObjectFact(
        .rich,
        ObjectFields {
          $0.put(.id, "r1")
          $0.put(.subject, "Sale")
          $0.put(.date, time, text: "2023-11-14 22:13:20")
          $0.put(.startDate, nil, text: "soon")
          $0.putNull(.endDate)
          $0.put(.isRead, false)
          $0.put(.inboxMessageType, 2)
          $0.put(.customKeys, json: Array(#"{"a":1}"#.utf8))
        }),
      ObjectFact(
        .draft,
        ObjectFields {
          $0.put(.id, "d1")
          $0.put(.version, 0)
          $0.put(.repliedMessage, "m1")
        }),
      ObjectFact(
        .other,
        ObjectFields {
          $0.put(.id, "e1")
          $0.put(.change, ObjectChange.deleted)
          $0.put(.className, "event")
        }),
    ]
  }

  private static var file: ObjectFields {
    ObjectFields {
      $0.put(.id, "f1")
      $0.put(.filename, "a.jpg")
      $0.put(.contentType, "image/jpeg")
      $0.put(.size, 123)
    }
  }

  private static var exchanges: [any InboxEvent] {
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

  private static var pushes: [any InboxEvent] {
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

  private static var intents: [any InboxEvent] {
    [
      MarkRead {
        $0.objectClass = .message
        $0.ids = ["m1", "m2"]
        $0.isRead = true
        $0.terms = terms
      },
      ChangeTags {
        $0.objectClass = .thread
        $0.ids = ["9x"]
        $0.added = ["archive"]
        $0.removed = ["inbox"]
        $0.gesture = .archive
        $0.terms = terms
      },
      DeleteObjects {
        $0.objectClass = .rich
        $0.ids = ["r1"]
        $0.terms = terms
      },
      MarkAll {
        $0.objectClass = .rich
        $0.action = .read
        $0.tag = "inbox"
        $0.condition = EventBytes([1, 2])
        $0.since = time
        $0.asOf = 40
        $0.terms = terms
      },
      Hold {
        $0.intent = 41
        $0.until = time
      },
      Withdraw { $0.intents = [41, 42] },
      Retry {
        $0.intent = 41
        $0.item = "m1"
      },
    ]
  }

  private static var drafts: [any InboxEvent] {
    [
      SaveDraft {
        $0.draft.put(.id, "local-00112233445566778899aabbccddeeff")
        $0.draft.put(.subject, "Re: Lunch?")
        $0.draft.put(.body, "Yes.")
        $0.terms = terms
        $0.baseVersion = 1
      },
      SendDraft {
        $0.id = "d1"
        $0.version = 2
        $0.messageID = "<1@example.com>"
        $0.terms = terms
      },
      DeleteDraft {
        $0.id = "d1"
        $0.version = 2
        $0.terms = terms
      },
      AddFile {
        $0.file = file
        $0.terms = terms
        $0.content = "0011"
        $0.digest = EventBytes([1, 2, 3, 4])
        $0.draft = "d1"
      },
      SaveTag {
        $0.tag.put(.id, "abc")
        $0.tag.put(.name, "work")
        $0.terms = terms
      },
    ]
  }

  private static var operations: [any InboxEvent] {
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

  private static var identities: [any InboxEvent] {
    [
      LoggedIn {
        $0.person = "alice@example.com"
        $0.server = "api.example.com"
        $0.namespace = "n1"
        $0.policy = policy
      },
      LoggedOut {
        $0.pending = .flush
        $0.flushUntil = time
      },
      IdentityChanged { $0.person = "bob" },
      ConfigurationChanged {
        $0.policy = PolicySwitches()
        $0.isInboxEnabled = false
        $0.marksReadOnOpening = true
        $0.ownsBadge = true
      },
      PrivacyChanged { $0.mode = .doNotTrack },
      Erased {
        $0.name = ObjectName(.message, "m1")
        $0.count = 12
      },
    ]
  }

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
