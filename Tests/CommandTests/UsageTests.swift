import TestSupport
import Testing

/// Usage texts of the `tideline` command, and errors for command lines it doesn't understand.
@Suite struct UsageTests {
  @Test(arguments: [
    (
      [],
      "tideline: no subcommand. Name one of: append, log, check, "
        + "salvage, backup, export, import, stats, drain, serve, sync, list, read, delete, tag, "
        + "outbox, status, demo, verify, at, step, diff, bisect, blame, why, what-if, minimize, "
        + "snapshots, bench."
    ),
    (["lag"], "tideline: unknown subcommand 'lag'. Name one of: "),
    (["log"], "tideline log: FOLDER is missing. Usage: tideline log FOLDER"),
    (["log", ""], "tideline log: FOLDER is empty. "),
    (["at", "a", ""], "tideline at: PLACE is empty. "),
    (["read", "a", "b", ""], "tideline read: ID is empty. "),
    (["log", "a", "b"], "tideline log: unexpected argument 'b'. "),
    (["log", "a", "--frm"], "tideline log: unknown option '--frm'. "),
    (["log", "a", "--json=1"], "tideline log: unknown option '--json=1'. "),
    (["log", "a", "--from"], "tideline log: --from takes a number from 1 to "),
    (["log", "a", "--from", "0"], "tideline log: --from takes a number from 1 to "),
    (["append", "a", "--kind=65535"], "tideline append: --kind takes a number from 0 to 65534. "),
    (["append", "a", "--kind", "-1"], "tideline append: --kind takes a number from 0 to 65534. "),
    (["salvage", "a"], "tideline salvage: NEWFOLDER is missing. "),
    (["serve", "a"], "tideline serve: unexpected argument 'a'. "),
    (["serve", "--port", "65536"], "tideline serve: --port takes a number from 0 to 65535. "),
    (["serve", "--alerts"], "tideline serve: --alerts takes a FILE. "),
    (["serve", "--token="], "tideline serve: --token takes a TOKEN. "),
    (["drain", "--", "-a", "--help"], "tideline drain: unexpected argument '--help'. "),
  ])
  func use_wrong(words: [String], complaint: String) async throws {
    let outcome = try await Tideline(words).ended()
    #expect(outcome.status == 2 && outcome.output == [] && outcome.errors.count == 1)
    #expect(outcome.errors.first?.hasPrefix(complaint) == true, "\(outcome)")
  }

  @Test(arguments: [
    nil, "append", "log", "check", "salvage", "backup", "drain", "serve", "sync", "list", "read",
    "delete", "tag", "outbox", "status", "demo", "export", "import", "stats", "verify", "step",
    "bench",
  ])
  func help(subcommand: String?) async throws {
    let words = subcommand.map { [$0] } ?? []
    let outcome = try await Tideline(words + ["--help"]).ended()
    #expect(outcome.status == 0 && outcome.errors == [])
    #expect(outcome.output[0].hasPrefix((["tideline"] + words).joined(separator: " ")))
    #expect(outcome.output.contains { $0.hasPrefix("Example") })
    #expect(outcome.output.allSatisfy { $0.count <= 100 })
  }
}
