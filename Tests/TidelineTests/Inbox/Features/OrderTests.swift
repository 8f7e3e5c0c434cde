import EventStore
import InboxHistories
import TestSupport
import Testing
import Tideline

/// An acknowledgement, a stale answer, an echo and the deadline in every order: the reducer and the
/// naive model agree after each record, and nothing flickers.
@Suite struct OrderTests {
  /// The steps that may follow an intent.
  enum Step: CaseIterable {
    case acknowledgement
    /// An answer that was requested before the intent, and states the values of that time.
    case stale
    /// An answer that is requested as it arrives, and states the wanted values.
    case echo
    /// The time by which acknowledged intents are settled, and a little more.
    case deadline
  }

  /// The records that carry versions.
  enum Versions: CaseIterable {
    case nothing
    case facts
    case all
  }

  /// A wanted change to one object, the server's values before and after it, and whether the object
  /// is shown as wanted.
  struct Wish: Sendable {
    let objectClass: ObjectClass
    let id: String
    let intent: @Sendable (inout InboxScene) -> RecordNumber
    let stale: @Sendable (inout ObjectFields) -> Void
    let echo: @Sendable (inout ObjectFields) -> Void
    let isShown: @Sendable (InboxPicture) -> Bool
  }

  static let policies: [PolicySwitches] = [.inbox, .marketingCloud, .engage]

  // Takes some seconds: 216 histories of some fifty records each, compared after each record.
  @Test(.rule(10), arguments: policies.indices)
  func everyOrder_isThatOfTheNaiveModel(policy: Int) async throws {
    for versions in Versions.allCases {
      for steps in Self.permutations(of: Step.allCases) {
        let origin = "policy \(policy), \(versions), \(steps)"
        let scene = try Self.scene(Self.policies[policy], versions, steps, origin)
        let comparison = InboxComparison { try await ReducedInbox($0) }
        let difference = try await comparison.difference(in: scene.history)
        #expect(difference == nil, "\(origin)\n\(difference?.description ?? "")")
      }
    }
  }

  private static func permutations(of steps: [Step]) -> [[Step]] {
    guard steps.count > 1 else { return [steps] }
    return steps.indices.flatMap { index in
      var rest = steps
      let first = rest.remove(at: index)
      return permutations(of: rest).map { [first] + $0 }
    }
  }

  /// Returns the history, after checking that wanted values stay shown until the deadline.
  private static func scene(
    _ policy: PolicySwitches, _ versions: Versions, _ steps: [Step], _ origin: String
  ) throws -> InboxScene {
    var scene = InboxScene(policy)
    let version: (Int64) -> Int64? = { versions == .nothing ? nil : $0 }
    for wish in wishes { tell(wish, wish.stale, version(1), of: nil, &scene) }
    let before = scene.last
    let intents = wishes.map { $0.intent(&scene) }
    for (count, step) in steps.enumerated() {
      switch step {
      case .acknowledgement:
        for intent in intents {
          scene.acknowledge(intent, version: versions == .all ? 2 : nil)
        }
      case .stale:
        let answer = scene.answer(sentAfter: before)
        for wish in wishes { tell(wish, wish.stale, version(1), of: answer, &scene) }
      case .echo:
        let answer = scene.answer()
        for wish in wishes { tell(wish, wish.echo, version(2), of: answer, &scene) }
      case .deadline: scene.wait(700_000)
      }
      let (picture, past) = (scene.picture, Array(steps.prefix(count + 1)))
      for wish in wishes where !isOver(wish, past, versions) && !wish.isShown(picture) {
        Issue.record("\(wish.objectClass) \(wish.id) flickers behind \(step): \(origin)")
      }
    }
    return scene
  }

  /// Returns whether an intent may be over, so that the server's values apply as they arrive.
  private static func isOver(_ wish: Wish, _ past: [Step], _ versions: Versions) -> Bool {
    guard let acknowledged = past.firstIndex(of: .acknowledgement) else { return false }
    if let deadline = past.firstIndex(of: .deadline), deadline > acknowledged { return true }
    // A save is settled at once: the version in the acknowledgement keeps the text.
    if wish.objectClass == .draft, versions != .all { return true }
    // After the echo, only versions show that an answer is older.
    return past.contains(.echo) && versions == .nothing
  }

  private static func tell(
    _ wish: Wish, _ fill: (inout ObjectFields) -> Void, _ version: Int64?, of answer: RecordNumber?,
    _ scene: inout InboxScene
  ) {
    scene.tell(wish.objectClass, wish.id, of: answer) { fields in
      fill(&fields)
      if let version { fields.put(.version, version) }
    }
  }

  static let wishes: [Wish] = [
    Wish(
      objectClass: .thread, id: "archived",
      intent: { $0.tag("archived", adding: ["archive"], removing: ["inbox"]) },
      stale: { $0.put(.tags, [ObjectLabel("inbox")]) },
      echo: { $0.put(.tags, [ObjectLabel("archive")]) },
      isShown: { $0.thread("archived")?.tagIDs == ["archive"] }),
    Wish(
      objectClass: .thread, id: "read", intent: { $0.read(.thread, ["read"]) },
      stale: { $0.put(.tags, [ObjectLabel("inbox"), ObjectLabel("unread")]) },
      echo: { $0.put(.tags, [ObjectLabel("inbox")]) },
      isShown: { $0.thread("read")?.tagIDs == ["inbox"] }),
    Wish(
      objectClass: .message, id: "read", intent: { $0.read(.message, ["read"]) },
      stale: { $0.put(.isUnread, true) }, echo: { $0.put(.isUnread, false) },
      isShown: { $0.message("read")?.isUnread == false }),
    Wish(
      objectClass: .message, id: "starred",
      intent: { scene in
        scene.add(
          ChangeTags {
            $0.objectClass = .message
            ($0.ids, $0.added) = (["starred"], ["starred"])
          })
      },
      stale: { $0.put(.isStarred, false) }, echo: { $0.put(.isStarred, true) },
      isShown: { $0.message("starred")?.isStarred == true }),
    Wish(
      objectClass: .rich, id: "read", intent: { $0.read(.rich, ["read"]) },
      stale: { $0.put(.isRead, false) }, echo: { $0.put(.isRead, true) },
      isShown: { $0.rich("read")?.isRead == true }),
    Wish(
      objectClass: .rich, id: "deleted",
      intent: { scene in scene.add(DeleteObjects { $0.ids = ["deleted"] }) },
      stale: { $0.put(.isDeleted, false) }, echo: { $0.put(.isDeleted, true) },
      isShown: { $0.rich("deleted")?.isDeleted == true }),
    Wish(
      objectClass: .draft, id: "saved",
      intent: { scene in
        scene.add(
          SaveDraft {
            $0.draft.put(.id, "saved")
            $0.draft.put(.subject, "New")
          })
      },
      stale: { $0.put(.subject, "Old") }, echo: { $0.put(.subject, "New") },
      isShown: { $0.draft("saved")?.subject == "New" }),
  ]
}
