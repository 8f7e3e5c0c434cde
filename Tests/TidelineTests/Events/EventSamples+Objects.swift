import EventStore
import Tideline

/// Facts about objects.
extension EventSamples {
  static var objects: [any InboxEvent] {
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

  static var file: ObjectFields {
    ObjectFields {
      $0.put(.id, "f1")
      $0.put(.filename, "a.jpg")
      $0.put(.contentType, "image/jpeg")
      $0.put(.size, 123)
    }
  }
}
