import EventStore
import Tideline

/// Intents, those with drafts among them.
extension EventSamples {
  static var intents: [any InboxEvent] {
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

  static var drafts: [any InboxEvent] {
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
}
