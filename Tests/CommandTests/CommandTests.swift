import EventStore
import Foundation
import TestSupport
import Testing

/// The `tideline` command, tested from outside.
@Suite struct CommandTests {
  private let folder: TemporaryFolder
  private var path: String { folder.path(of: "notes") }

  init() throws { folder = try TemporaryFolder() }

  private func append(_ text: String) async throws {
    #expect(try await Tideline.run("append", path, input: text).status == 0)
  }

  /// The payloads in lines of `--json` output.
  private func texts(_ lines: [String]) throws -> [String] {
    try lines.map { line in
      let object = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
      return (object?["payload"] as? [String: String])?["1"] ?? "?"
    }
  }

  @Test func append_thenLog() async throws {
    let first = try await Tideline.run("append", path, input: "Lunch?\n\nDinner")
    #expect(first == .init(output: ["1", "2", "3"]))
    let second = try await Tideline.run("append", path, "--kind=7", input: "a\u{1b}[31m\tb\n")
    #expect(second == .init(output: ["4"]))

    let json = try await Tideline.run("log", path, "--json")
    #expect(json.status == 0 && json.errors == [])
    #expect(try texts(json.output) == ["Lunch?", "", "Dinner", "a\u{1b}[31m\tb"])

    let shown = try await Tideline.run("log", "--from", "3", path)
    let time = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/
    #expect(
      shown.output.map { $0.replacing(time, with: "TIME") } == [
        "     3  TIME  kind 1   intent      8 B  Dinner",
        "     4  TIME  kind 7   intent     10 B  a\u{FFFD}[31m\u{FFFD}b",
      ])
  }

  @Test func log_longText() async throws {
    try await append(String(repeating: "é", count: 500))
    let line = try #require(try await Tideline.run("log", path).output.first)
    #expect(line.count == 100 && line.hasSuffix("é…"))
  }

  @Test func append_badLine() async throws {
    let bytes = Data("Lunch?\n".utf8) + [0xFF, 0x0A]
    let outcome = try await Tideline(["append", path], input: bytes).ended()
    #expect(outcome.status == 1)
    #expect(outcome.errors.count == 1 && outcome.errors[0].contains("line 2 is not UTF-8"))
    #expect(outcome.output == [])
  }

  @Test func check_ofDamagedCopy() async throws {
    try await append("Lunch?\nDinner\nSupper\n")
    let copy = folder.path(of: "copy")
    #expect(try await Tideline.run("backup", path, copy) == .init())
    let sound = try await Tideline.run("check", copy)
    #expect(sound.status == 0 && sound.output.count == 1 && sound.output[0].hasSuffix("sound"))

    try damage("Dinner", in: copy)
    let damaged = try await Tideline.run("check", copy)
    #expect(damaged.status == 1)
    #expect(damaged.output.dropFirst() == ["- record 2 has a damaged payload"])
    let report = try await Tideline.run("check", copy, "--json")
    let object = try JSONSerialization.jsonObject(with: Data(report.output[0].utf8))
    #expect((object as? [String: Any])?["sound"] as? Bool == false)

    let shown = try await Tideline.run("log", copy, "--json")
    #expect(try texts(shown.output) == ["Lunch?", "Supper"])
    #expect(shown.status == 1)
    #expect(shown.errors.count == 1 && shown.errors[0].contains("Record 2 is damaged"))

    let new = folder.path(of: "new")
    #expect(try await Tideline.run("salvage", copy, new).status == 0)
    #expect(try await Tideline.run("check", new).status == 0)
    let salvaged = try await Tideline.run("log", new)
    #expect(salvaged.output.count == 3 && salvaged.output[1].hasSuffix("(lost)"))
  }

  /// Changes one byte of a text wherever the text occurs in a log's file.
  private func damage(_ text: String, in folder: String) throws {
    let url = URL(fileURLWithPath: "\(folder)/data.mdb")
    var data = try Data(contentsOf: url)
    while let place = data.range(of: Data(text.utf8)) { data[place.lowerBound] ^= 1 }
    try data.write(to: url)
  }

  @Test func drain_ofSpool() async throws {
    try await append("Lunch?\n")
    let spool = try Spool(at: "\(path)/spool")
    let event = Event(kind: EventKind(rawValue: 2), recordedAt: Timestamp(rawValue: 0))
    try spool.write(event) { $0.put(1, "Dinner") }
    #expect(try await Tideline.run("drain", path) == .init(output: ["2"]))
    #expect(try await Tideline.run("drain", path) == .init())
    let shown = try await Tideline.run("log", path, "--json")
    #expect(try texts(shown.output) == ["Lunch?", "Dinner"])

    try Data("no event".utf8).write(to: URL(fileURLWithPath: "\(path)/spool/0000.event"))
    let refused = try await Tideline.run("drain", path)
    #expect(refused.status == 1 && refused.output == [] && refused.errors.count == 1)
  }

  @Test func follow_untilInterrupted() async throws {
    try await append("Lunch?\n")
    let following = try Tideline(["log", path, "--follow", "--json"])
    #expect(try texts([try #require(await following.next())]) == ["Lunch?"])
    try await append("Dinner\n")
    #expect(try texts([try #require(await following.next())]) == ["Dinner"])
    following.interrupt()
    #expect(try await following.ended() == .init())
  }

  @Test func follow_withoutReader() async throws {
    try await append("Lunch?\n")
    let following = try Tideline(["log", path, "--follow"])
    _ = await following.next()
    try following.stopReading()
    try await append("Dinner\n")
    #expect(try await following.ended() == .init(status: 141))
  }

  @Test(arguments: [["log"], ["check"], ["backup", "new"], ["salvage", "new"], ["drain"]])
  func folder_missing(words: [String]) async throws {
    let others = words.dropFirst().map { folder.path(of: $0) }
    let outcome = try await Tideline([words[0], path] + others).ended()
    #expect(outcome.status == 1 && outcome.output == [] && outcome.errors.count == 1)
    #expect(outcome.errors.first?.hasPrefix("tideline: \(path)") == true)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == [])
  }
}
