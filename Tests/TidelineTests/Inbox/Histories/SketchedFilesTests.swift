import EventStore
import TestSupport
import Testing
import Tideline

/// What becomes of a message's files does not depend on whether they are sketched.
@Suite struct SketchedFilesTests {
  /// The files in a message, and what is known before.
  enum Files: CaseIterable {
    case new, several, twice, withDeletion, nameless, known, knownLater, buried, buriedAmongOthers
    case ofKnownMessage, tooMany, withLongID

    fileprivate var files: [ObjectFields] {
      switch self {
      case .new, .known, .buried, .ofKnownMessage: [file("a")]
      case .several, .buriedAmongOthers: [file("c"), file("a"), file("b")]
      case .twice: [file("a"), file("b"), file("a", "another")]
      case .withDeletion: [file("b"), deleted("a")]
      case .nameless: [ObjectFields { $0.put(.name, "nameless") }, file("a")]
      case .knownLater: [file("b"), file("a")]
      case .withLongID: [file("a"), file(String(repeating: "b", count: 1_100))]
      case .tooMany: (0..<101).map { file("f\($0)") }
      }
    }

    /// What is known before.
    fileprivate var before: [ObjectFact] {
      switch self {
      case .known, .knownLater: [ObjectFact(.file, file("a", "known"))]
      case .buried, .buriedAmongOthers: [ObjectFact(.file, deleted("a"))]
      case .ofKnownMessage: [ObjectFact(.message, ObjectFields { $0.put(.id, "m") })]
      default: []
      }
    }
  }

  @Test(arguments: Files.allCases) func files_areTheSame_sketchedOrNot(_ files: Files) throws {
    // The second message finds the files of the first.
    let messages = ["m", "n"].map { id in
      ObjectFact(
        .message,
        ObjectFields {
          $0.put(.id, id)
          $0.put(.files, files.files)
        })
    }
    let login = LoggedIn { ($0.person, $0.policy) = ("alice", .inbox) }
    let events: [any InboxEvent] = [login] + files.before + messages
    let (sketched, plain) = (try SketchedHistoryTests.store(1), try SketchedHistoryTests.store(1))
    try sketched.append(batch(events))
    for event in events { try plain.append(batch([event])) }
    #expect(try SketchedHistoryTests.rows(of: sketched) == SketchedHistoryTests.rows(of: plain))
    #expect(sketched.mark == plain.mark && sketched.refused == plain.refused)
    try sketched.checkInvariants()
  }

  private func batch(_ events: [any InboxEvent]) -> Batch {
    var batch = Batch()
    for event in events {
      batch.add(
        event, recordedAt: Timestamp(rawValue: 1_700_000_000_000),
        login: Login(account: 1, epoch: 1))
    }
    return batch
  }
}

private func file(_ id: String, _ name: String = "picture") -> ObjectFields {
  ObjectFields {
    $0.put(.id, id)
    $0.put(.name, name)
  }
}

private func deleted(_ id: String) -> ObjectFields {
  ObjectFields {
    $0.put(.id, id)
    $0.put(.change, ObjectChange.deleted)
  }
}
