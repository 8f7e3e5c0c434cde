import EventStore
import Foundation
import TestSupport
import Testing
import Tideline

/// Stepping through a log in a terminal and through a pipe.
@Suite(.timeLimit(.minutes(5))) struct StepTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// Fills the inbox with three threads and marks one of them as read.
  private func fill() async throws {
    let store = try await InboxStore.open(at: folder.path)
    let inbox = try await store.logIn("alice@example.com", policy: .inbox)
    for index in 0..<3 {
      var told = Delivery()
      var thread = MailThread(id: "t\(index)", account: inbox.account)
      thread.subject = "Minutes \(index) \u{202E}今日中に会議の議事録をお送りください、よろしくお願いいたします"
      thread.tagIDs = ["inbox", "unread"]
      thread.lastMessageDate = Date(timeIntervalSince1970: 1_700_000_000 + Double(index))
      told.add(thread)
      try await inbox.apply(told)
    }
    try await inbox.perform(.markRead(MailThread.self, ["t1"]))
    await store.close()
  }

  @Test func step_inAPipe_isNotInteractive() async throws {
    try await fill()
    let refused = try await Tideline.run("step", folder.path, "start", "--interactive")
    #expect(refused.status == 2 && refused.errors.count == 1)
  }

  /// A terminal that can't be drawn on would show the escape sequences as text.
  @Test(arguments: [("dumb", "TERM is dumb"), ("", "TERM is not set")])
  func step_inATerminalThatCannotBeDrawnOn(_ kind: String, _ reason: String) async throws {
    try await fill()
    let terminal = try PseudoTerminal(
      ["step", folder.path, "end", "--interactive"], columns: 200, kind: kind)
    #expect(try await terminal.ended() == 2)
    let shown = try await terminal.sees(reason)
    #expect(shown.contains("--count"), "\(shown)")
    #expect(!terminal.isStyled && terminal.isRestored)
  }

  /// Each key does what the screen says, and the terminal is restored afterwards.
  @Test func step_inATerminal() async throws {
    try await fill()
    let terminal = try PseudoTerminal(
      ["step", folder.path, "end", "--interactive"], columns: 100, lines: 30)
    let last = try await terminal.sees("q quit")
    #expect(last.contains("MarkRead"), "\(last)")
    #expect(last.contains("unread inbox:1: 3 → 2"))
    #expect(!terminal.isRestored)
    terminal.press("\u{1B}[D")
    let before = try await terminal.sees("q quit")
    #expect(!before.contains("MarkRead") && before.contains("thread"), "\(before)")
    terminal.press("n")
    #expect(try await terminal.sees("q quit").contains("MarkRead"))
    // A key without a meaning has no effect.
    terminal.press("\t")
    _ = try await terminal.sees("q quit")
    terminal.press("n")
    _ = try await terminal.sees("no more records")
    terminal.press("g1\r")
    #expect(try await terminal.sees("q quit").contains("record 1 of"))
    terminal.press("/Minutes 2\r")
    _ = try await terminal.sees("/Minutes 2   →")
    terminal.press(" ")
    let found = try await terminal.sees("q quit")
    #expect(found.contains("“t2”"), "\(found)")
    terminal.press("gnowhere\r")
    _ = try await terminal.sees("no place 'nowhere'")
    terminal.press("q")
    #expect(try await terminal.ended() == 0)
    #expect(terminal.isRestored)
    try await terminal.sees("\u{1B}[?25h\u{1B}[?1049l")
  }

  /// A search through a long log shows how far it is, and keys are taken meanwhile.
  @Test func search_thatFindsNothing_canBeStopped() async throws {
    try await fill()
    let log = try await Log.open(at: "\(folder.path)/log")
    var batch = Batch()
    let other = Event(kind: EventKind(rawValue: 9999), recordedAt: Timestamp(rawValue: 0))
    for _ in 0..<100_000 { batch.add(other) }
    try await log.append(batch)
    await log.close()
    let terminal = try PseudoTerminal(
      ["step", folder.path, "start", "--interactive"], columns: 100, lines: 30)
    try await terminal.sees("q quit")
    terminal.press("/xyzzy\rn")
    try await terminal.sees("searching at #")
    terminal.press("x")
    try await terminal.sees("q quit")
    terminal.press("n")
    try await terminal.sees("searching at #")
    terminal.press("\u{3}")
    #expect(try await terminal.ended() == 0)
    #expect(terminal.isRestored)
  }

  /// A search without a match stays where it began, and the help covers only the changes.
  @Test func search_withoutAMatch_staysAtItsRecord() async throws {
    try await fill()
    let terminal = try PseudoTerminal(
      ["step", folder.path, "2", "--interactive"], columns: 100, lines: 30)
    _ = try await terminal.sees("record 2 of")
    terminal.press("/xyzzy\r")
    _ = try await terminal.sees("/xyzzy   →")
    terminal.press("n")
    _ = try await terminal.sees("no more matches")
    terminal.press("/\(String(repeating: "\u{7F}", count: 5))\r")
    _ = try await terminal.sees("q quit")
    terminal.press("n")
    _ = try await terminal.sees("record 3 of")
    terminal.press("?")
    let help = try await terminal.sees("q quit")
    #expect(help.contains("record 3 of") && help.contains("show this help"), "\(help)")
    terminal.press("?")
    let shown = try await terminal.sees("q quit")
    #expect(shown.contains("record 3 of") && !shown.contains("show this help"), "\(shown)")
    terminal.press("q")
    #expect(try await terminal.ended() == 0)
  }

  @Test(arguments: [SIGINT, SIGTERM, SIGHUP])
  func signal_leavesTheTerminalAsItWas(_ number: CInt) async throws {
    try await fill()
    let terminal = try PseudoTerminal(["step", folder.path, "start", "--interactive"])
    _ = try await terminal.sees("q quit")
    #expect(!terminal.isRestored)
    terminal.signal(number)
    #expect(try await terminal.ended() == 128 + number)
    #expect(terminal.isRestored)
  }

  @Test func controlC_leavesTheTerminalAsItWas() async throws {
    try await fill()
    let terminal = try PseudoTerminal(["step", folder.path, "start", "--interactive"])
    _ = try await terminal.sees("q quit")
    terminal.press("\u{3}")
    #expect(try await terminal.ended() == 0)
    #expect(terminal.isRestored)
  }

  /// Nothing is drawn beyond the terminal, whatever its size.
  @Test(arguments: [(20, 5), (40, 3), (200, 60)] as [(UInt16, UInt16)])
  func screen_fitsTheTerminal(_ columns: UInt16, _ lines: UInt16) async throws {
    try await fill()
    let terminal = try PseudoTerminal(
      ["step", folder.path, "end", "--interactive"], columns: columns, lines: lines)
    // Each drawing ends with this sequence.
    try await terminal.sees("\u{1B}[J")
    let shown = try await terminal.sees("record")
    let drawn = shown.split(separator: "\r\n", omittingEmptySubsequences: false)
    #expect(drawn.count <= Int(lines))
    let widths = drawn.map { line in line.count + line.count { ("、"..."龠").contains($0) } }
    #expect(widths.allSatisfy { $0 <= Int(columns) }, "\(drawn)")
    terminal.press("q")
    #expect(try await terminal.ended() == 0)
  }
}
