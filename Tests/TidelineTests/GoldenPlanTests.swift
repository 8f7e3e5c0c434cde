import EventStore
import Foundation
import Testing
import Tideline

/// The permanent plans of predicates: a changed hash rebuilds every view on disk.
@Suite struct GoldenPlanTests {
  static let day = Date(timeIntervalSince1970: 1_750_000_000)

  /// Returns a plan's hash, its condition and the reasons for a residual predicate.
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
      "a1c49490b98efc04; threads where hiding == nil && tagIDs intersects [\"inbox\"]")
    try expect(
      #Predicate<MailThread> { $0.tagIDs.contains("inbox") && $0.tagIDs.contains("unread") },
      "f0ce2229b938cc5a; threads where hiding == nil && tagIDs intersects [\"inbox\"] "
        + "&& tagIDs intersects [\"unread\"]")
    try expect(
      #Predicate<MailThread> { $0.isUnread && !$0.isStarred },
      "569af185c827600f; threads where hiding == nil && tagIDs intersects [\"unread\"] "
        + "&& tagIDs has none of [\"starred\"]")
    try expect(
      #Predicate<MailThread> { !$0.tagIDs.contains("trash") },
      "d81758c2bcb2e979; threads where hiding == nil && tagIDs has none of [\"trash\"]")
    try expect(
      #Predicate<MailThread> { $0.subject == nil },
      "cbb6eb4ab39f250a; threads where hiding == nil && subject == nil")
    try expect(
      #Predicate<MailThread> { $0.subject != nil },
      "78ac5e6cf60fe276; threads where hiding == nil && subject != nil")
    try expect(
      #Predicate<MailThread> { $0.subject == "Hello" },
      "a1ca787f6eb6618e; threads where hiding == nil && subject in [\"Hello\"]")
    try expect(
      #Predicate<MailThread> { ($0.subject ?? "") == "" },
      "ce63f4ae248bb629; threads where hiding == nil && (subject == nil || subject "
        + "in [\"\"])")
    try expect(
      #Predicate<MailThread> { $0.subject?.starts(with: "Re: ") ?? false },
      "23841e8a09fe1f4d; threads where hiding == nil && subject != nil && subject "
        + "begins with \"Re: \"")
    try expect(
      #Predicate<MailThread> { $0.subject?.isEmpty == true },
      "526d470fba633091; threads where hiding == nil && subject != nil && subject in "
        + "[\"\"]")
    try expect(
      #Predicate<MailThread> { $0.foldedSubject == crème },
      "8930afabbf5a3305; threads where hiding == nil && foldedSubject in [\"creme\"]")
    try expect(
      #Predicate<MailThread> { $0.foldedSubject >= crème },
      "4f75894017c67cf; threads where hiding == nil && foldedSubject >= \"creme\"")
    try expect(
      #Predicate<MailThread> { $0.foldedSubject.text.starts(with: "re: ") },
      "83aed1c5ebd6ff09; threads where hiding == nil && foldedSubject begins with \"re: "
        + "\"")
    try expect(
      #Predicate<MailThread> { $0.effectiveDate > day },
      "e37a0e5c6e072c75; threads where hiding == nil && effectiveDate >= "
        + "2025-06-15T15:06:40.001Z")
    try expect(
      #Predicate<MailThread> { $0.lastMessageDate == day },
      "fbecec57cf263457; threads where hiding == nil && lastMessageDate == "
        + "2025-06-15T15:06:40.000Z")
    try expect(
      #Predicate<MailThread> { ($0.lastMessageDate ?? day) >= day },
      "995bf9f1f2e97c34; threads where hiding == nil && lastMessageDate not <= "
        + "2025-06-15T15:06:39.999Z")
    try expect(
      #Predicate<MailThread> { $0.account == 2 && $0.addresses.contains("ann@example.com") },
      "abfec56f318c1587; threads where account == 2 && hiding == nil && addresses "
        + "intersects [\"ann@example.com\"]")
    try expect(
      #Predicate<MailThread> { $0.hasAttachments },
      "fb0ef819506a5ac8; threads where hiding == nil && hasAttachments == true")
    try expect(
      #Predicate<MailThread> { $0.version! > 3 },
      "369275ab3ebc992a; threads where version >= 4 && hiding == nil; unwrapping of "
        + "version by force")
    try expect(
      #Predicate<Message> { $0.threadID == "t1" && $0.isUnread },
      "18e16aa33fd88421; messages where hiding == nil && kind == 1 && threadID in "
        + "[\"t1\"] && isUnread == true")
    try expect(
      #Predicate<Message> { threads.contains($0.threadID) },
      "1f0e2a95c04c424a; messages where hiding == nil && kind == 1 && (threadID == "
        + "nil || threadID in [\"t1\", \"t2\"])")
    try expect(
      #Predicate<Message> { $0.from.contains { $0.email == "ann@example.com" } && $0.isStarred },
      "9e54bf87611080c7; messages where hiding == nil && kind == 1 && isStarred == "
        + "true; SequenceContainsWhere")
    try expect(
      #Predicate<Draft> { $0.state == failed },
      "50c9ae2ee02cdceb; messages where hiding == nil && kind == 2 && state == 2")
    try expect(
      #Predicate<Draft> { $0.state != failed && $0.replyToMessageID != nil },
      "19609650e76c7d6c; messages where hiding == nil && kind == 2 && state != 2 && "
        + "replyToMessageID != nil")
    try expect(
      #Predicate<InboxTag> { $0.isReadOnly == false },
      "fd14360e13b4b430; tags where hiding == nil && isReadOnly != true")
    try expect(
      #Predicate<Contact> { $0.foldedName < crème || $0.email == nil },
      "71bc985239716a25; contacts where hiding == nil && (foldedName == nil || "
        + "foldedName < \"creme\" || email == nil)")
    try expect(
      #Predicate<InboxFile> { (1_000..<2_000).contains($0.size ?? 0) },
      "c9342120b0e7a74c; files where hiding == nil && size in 1000...1999")
    try expect(
      #Predicate<RichMessage> { $0.isActive && !$0.isDeleted && !$0.isRead },
      "e7d20fc09ce299d0; rich where hiding == nil && isRead != true && isDeleted "
        + "!= true && isActive != false")
    try expect(
      #Predicate<RichMessage> { $0.messageType == 1 || $0.messageType == 3 },
      "d05d769d124b85a0; rich where hiding == nil && messageType in [1, 3]")
    try expect(
      #Predicate<RichMessage> { $0.title! < "m" },
      "72d6cb1e085774bb; rich where hiding == nil && title < \"n\"; order of title, "
        + "which is a text: ask its folded key; unwrapping of title by force")
    try expect(
      #Predicate<RichMessage> { $0.sendDateUtc.flatMap { $0 < day } == true },
      "99f2d001a6faa8f1; rich where hiding == nil && sendDateUtc <= "
        + "2025-06-15T15:06:39.999Z")
    try expect(
      #Predicate<RichMessage> { $0.isRead ? $0.isOpened : $0.title == "x" },
      "22dd8613d4abd010; rich where hiding == nil && ((title in [\"x\"] && isRead != "
        + "true) || (isRead == true && isOpened == true))")
  }
}
