import EventStore
import Foundation
import Testing
import Tideline

/// What predicates come to, for ever: another hash makes every view on disk anew.
@Suite struct GoldenPlanTests {
  static let day = Date(timeIntervalSince1970: 1_750_000_000)

  /// A plan's hash, its condition and what is left of the predicate.
  private func text<Object: Model>(_ predicate: Predicate<Object>) throws -> String {
    let plan = try QueryPlan(where: predicate)
    let hash = String(plan.view(named: "golden").planHash, radix: 16)
    let condition = plan.explanation.split(separator: "\n")[1].drop { $0 != " " }.dropFirst(4)
    return ([hash, String(condition)] + plan.reasons).joined(separator: "; ")
  }

  private func expect<Object: Model>(_ predicate: Predicate<Object>, _ golden: String) throws {
    let text = try text(predicate)
    #expect(text == golden)
  }

  @Test func plans() throws {
    let day = Self.day
    let crème = FoldedText("Crème")
    let failed = Draft.State.failed
    let threads: [String?] = ["t1", "t2", nil]
    try expect(
      #Predicate<MailThread> { $0.tagIDs.contains("inbox") },
      "b5142b42638d4460; threads where tagIDs intersects [\"inbox\"]")
    try expect(
      #Predicate<MailThread> { $0.tagIDs.contains("inbox") && $0.tagIDs.contains("unread") },
      "273b71e49bf173f8; threads where tagIDs intersects [\"inbox\"] && tagIDs intersects "
        + "[\"unread\"]")
    try expect(
      #Predicate<MailThread> { $0.isUnread && !$0.isStarred },
      "bc555b0034d9d649; threads where tagIDs intersects [\"unread\"] && !(tagIDs "
        + "intersects [\"starred\"])")
    try expect(
      #Predicate<MailThread> { !$0.tagIDs.contains("trash") },
      "75f23b6d2e61474c; threads where !(tagIDs intersects [\"trash\"])")
    try expect(
      #Predicate<MailThread> { $0.subject == nil },
      "64ed50ef4610d640; threads where !(subject != nil)")
    try expect(
      #Predicate<MailThread> { $0.subject != nil }, "7d919b2c9051e43a; threads where subject != nil"
    )
    try expect(
      #Predicate<MailThread> { $0.subject == "Hello" },
      "70ea67ea7a129038; threads where subject in [\"Hello\"]")
    try expect(
      #Predicate<MailThread> { ($0.subject ?? "") == "" },
      "76bc3ec9cefc2333; threads where !(subject != nil) || subject in [\"\"]")
    try expect(
      #Predicate<MailThread> { $0.subject?.starts(with: "Re: ") ?? false },
      "17cde8723d86abbd; threads where subject != nil && subject begins with \"Re: \"")
    try expect(
      #Predicate<MailThread> { $0.subject?.isEmpty == true },
      "f988fc42e9b193ac; threads where subject != nil && subject in [\"\"]")
    try expect(
      #Predicate<MailThread> { $0.foldedSubject == crème },
      "31949d8d8816d3ea; threads where foldedSubject in [\"creme\"]")
    try expect(
      #Predicate<MailThread> { $0.foldedSubject >= crème },
      "b50463ffee323df8; threads where foldedSubject >= \"creme\"")
    try expect(
      #Predicate<MailThread> { $0.foldedSubject.text.starts(with: "re: ") },
      "31a9f4a59d56bc18; threads where foldedSubject begins with \"re: \"")
    try expect(
      #Predicate<MailThread> { $0.effectiveDate > day },
      "61d00cacac71b8fe; threads where effectiveDate >= 2025-06-15T15:06:40.001Z")
    try expect(
      #Predicate<MailThread> { $0.lastMessageDate == day },
      "bedfa9e449fe951d; threads where lastMessageDate == 2025-06-15T15:06:40.000Z")
    try expect(
      #Predicate<MailThread> { ($0.lastMessageDate ?? day) >= day },
      "502d7a9353c4a4b; threads where !(lastMessageDate <= 2025-06-15T15:06:39.999Z)")
    try expect(
      #Predicate<MailThread> { $0.account == 2 && $0.addresses.contains("ann@example.com") },
      "839221379a13eb78; threads where account == 2 && addresses intersects "
        + "[\"ann@example.com\"]")
    try expect(
      #Predicate<MailThread> { $0.hasAttachments },
      "b51829f894660e6a; threads where hasAttachments == true")
    try expect(
      #Predicate<MailThread> { $0.version! > 3 },
      "fba3dc571f11b1a6; threads where version >= 4; unwrapping of version by force")
    try expect(
      #Predicate<Message> { $0.threadID == "t1" && $0.isUnread },
      "68998d74dcd122c8; messages where kind == 1 && threadID in [\"t1\"] && isUnread == "
        + "true")
    try expect(
      #Predicate<Message> { threads.contains($0.threadID) },
      "3fbef117780c2d7c; messages where kind == 1 && (!(threadID != nil) || threadID in "
        + "[\"t1\", \"t2\"])")
    try expect(
      #Predicate<Message> { $0.from.contains { $0.email == "ann@example.com" } && $0.isStarred },
      "2fd55cb24f252164; messages where kind == 1 && isStarred == true; "
        + "SequenceContainsWhere")
    try expect(
      #Predicate<Draft> { $0.state == failed },
      "712d8096d6e7ed5a; messages where kind == 2 && state == 2")
    try expect(
      #Predicate<Draft> { $0.state != failed && $0.replyToMessageID != nil },
      "402696de68a3f93f; messages where kind == 2 && !(state == 2) && replyToMessageID != "
        + "nil")
    try expect(
      #Predicate<InboxTag> { $0.isReadOnly == false },
      "42c95d1828a42517; tags where !(isReadOnly == true)")
    try expect(
      #Predicate<Contact> { $0.foldedName < crème || $0.email == nil },
      "b5fcc414ff3ac752; contacts where !(foldedName != nil) || foldedName < \"creme\" || "
        + "!(email != nil)")
    try expect(
      #Predicate<InboxFile> { (1_000..<2_000).contains($0.size ?? 0) },
      "4b30f091885f0cac; files where size in 1000...1999")
    try expect(
      #Predicate<RichMessage> { $0.isActive && !$0.isDeleted && !$0.isRead },
      "b904557073e91b63; rich where !(isRead == true) && !(isDeleted == true) && "
        + "!(isActive == false)")
    try expect(
      #Predicate<RichMessage> { $0.messageType == 1 || $0.messageType == 3 },
      "eeaee633668a2c12; rich where messageType in [1, 3]")
    try expect(
      #Predicate<RichMessage> { $0.title! < "m" },
      "8702424c8ac2ed03; rich where title < \"n\"; order of title, which is a text: ask "
        + "its folded key; unwrapping of title by force")
    try expect(
      #Predicate<RichMessage> { $0.sendDateUtc.flatMap { $0 < day } == true },
      "26b05e2569d93999; rich where sendDateUtc <= 2025-06-15T15:06:39.999Z")
    try expect(
      #Predicate<RichMessage> { $0.isRead ? $0.isOpened : $0.title == "x" },
      "6a6d395ba0ce4ef4; rich where (title in [\"x\"] && !(isRead == true)) || (isRead == "
        + "true && isOpened == true)")
  }
}
