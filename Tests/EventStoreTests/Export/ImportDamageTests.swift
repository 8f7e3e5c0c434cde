import EventStore
import LMDB
import TestSupport
import Testing

/// Anything but an exported log is refused with a one-line error and leaves nothing behind.
@Suite struct ImportDamageTests {
  /// Returns why lines are refused, or `nil` if they are not.
  private func refusal(of lines: [UInt8]) async throws -> String? {
    let folder = try TemporaryFolder()
    var rest = lines[...]
    do {
      _ = try Log.importing(into: folder.path) {
        defer { rest = [] }
        return rest.isEmpty ? nil : Array(rest)
      }
      return nil
    } catch let error as ImportError {
      #expect(throws: LogError.self) { try Log.check(at: folder.path) }
      #expect(!"\(error)".contains("\n"))
      return "\(error)"
    }
  }

  @Test func changedByte_isFound() async throws {
    var dice = SeededGenerator(seed: 11)
    let original = try await ExportedLog(seed: 11, count: 12)
    let lines = try ExportedLog.lines(of: original.log)
    for round in 0..<Campaign.size(300, long: 20_000) {
      var changed = lines
      // The last newline is left alone, because a space would do as well.
      let place = Int.random(in: lines.indices.dropLast(), using: &dice)
      changed[place] ^= UInt8.random(in: 1...255, using: &dice)
      #expect(try await refusal(of: changed) != nil, "round \(round), byte \(place)")
    }
  }

  @Test func cutOff_isFound() async throws {
    var dice = SeededGenerator(seed: 12)
    let original = try await ExportedLog(seed: 12, count: 12)
    let lines = try ExportedLog.lines(of: original.log)
    // Without only the last newline, the export is still whole.
    for _ in 0..<Campaign.size(100, long: 2000) {
      let count = Int.random(in: 0..<(lines.count - 1), using: &dice)
      #expect(try await refusal(of: Array(lines.prefix(count))) != nil, "\(count) bytes")
    }
    #expect(try await refusal(of: Array(lines.dropLast())) == nil)
  }

  /// A complete but wrong last line is not reported as cut off, even without its newline.
  @Test func lastLine_isToldFromOneThatIsCutOff() async throws {
    let original = try await ExportedLog(seed: 18, count: 12)
    let lines = String(decoding: try ExportedLog.lines(of: original.log), as: UTF8.self)
    let wrong = lines.dropLast().replacing("\"records\":12", with: "\"records\":13")
    #expect(
      try await refusal(of: Array(wrong.utf8))
        == "Line 14: the manifest describes other records. Export the log again.")
    for count in [1, 2, 10] {
      #expect(
        try await refusal(of: Array(lines.utf8.dropLast(count + 1)))
          == "The export ends after line 13, without its manifest. Export the log again.")
    }
  }

  /// An error of the source is reported as it is, and not as one of the new log.
  @Test func failingSource_isNamed() throws {
    let folder = try TemporaryFolder()
    let failure = LMDBError(.missing, "open the lines")
    #expect(throws: failure) { _ = try Log.importing(into: folder.path) { throw failure } }
    #expect(throws: LogError.missing(path: folder.path)) { try Log.check(at: folder.path) }
  }

  @Test func linesInOtherOrder_areFound() async throws {
    let original = try await ExportedLog(seed: 13, count: 12)
    var lines = try ExportedLog.lines(of: original.log).split(separator: UInt8(ascii: "\n"))
    lines.swapAt(3, 4)
    let reason = try await refusal(of: Array(lines.joined(separator: [UInt8(ascii: "\n")])))
    #expect(reason == "Line 4: record 4 is out of order. Export the log again.")
    lines.swapAt(3, 4)
    lines.remove(at: 6)
    let missing = try await refusal(of: Array(lines.joined(separator: [UInt8(ascii: "\n")])))
    #expect(missing == "Line 7: record 7 is out of order. Export the log again.")
  }

  @Test(arguments: [
    ("", "This is not an exported log"), ("\n", "This is not an exported log"),
    ("PK\u{3}\u{4}", "This is not an exported log"), ("[]\n", "This is not an exported log"),
    (#"{"number":1}"#, "This is not an exported log"),
    (#"{"tideline":"log","version":2}"#, "The export has version 2; the newest known is 1"),
    (#"{"tideline":"log","version":1}"#, "Line 1: 'chain' is missing"),
    (#"{"tideline":"log","version":1,"floor":99999999999999999999}"#, "not fit into 64 bits"),
    (#"{"tideline":"log","version":1,"store":"0"}"#, "is not a hexadecimal digit"),
  ])
  func foreignFile(_ text: String, _ reason: String) async throws {
    let refusal = try #require(try await refusal(of: Array(text.utf8)))
    #expect(refusal.contains(reason), "\(refusal)")
  }

  /// The greatest numbers are refused: the next record and the next login need greater ones.
  @Test(arguments: [
    (#"{"number":140737488355329,"#, "140737488355329 is not a valid record number"),
    (#"{"number":1,"login":[4294967295,1],"#, "[4294967295,1] is not a valid login"),
    (#"{"number":1,"login":[1,4294967295],"#, "[1,4294967295] is not a valid login"),
  ])
  func numberWithNoneBehindIt(_ line: String, _ reason: String) async throws {
    let original = try await ExportedLog(seed: 16, count: 3)
    let lines = try ExportedLog.lines(of: original.log)
    let head = lines.prefix { $0 != UInt8(ascii: "\n") }
    let refusal = try #require(try await refusal(of: head + Array("\n\(line)\n".utf8)))
    #expect(refusal.contains(reason), "\(refusal)")
  }

  /// Random bytes after a sound first line never trap.
  @Test func noise() async throws {
    var dice = SeededGenerator(seed: 14)
    let original = try await ExportedLog(seed: 14, count: 3)
    let lines = try ExportedLog.lines(of: original.log)
    let words = [
      "{", "}", "[", "]", ",", ":", "\"", "\\", "\n", "\"number\":", "\"payload\":", "null",
      "\"kind\":", "\"at\":", "-1", "0", "18446744073709551616", "{\"base64\":\"", "\\ud800",
      "{\"double\":\"", "\"manifest\":", "true", "é", "\"1\":", "[[[[[[[[[[[[[[[[[[[[[",
    ]
    for _ in 0..<Campaign.size(500, long: 50_000) {
      let places = lines.indices.filter { lines[$0] == UInt8(ascii: "\n") }
      var noise = Array(lines[...places[0]])
      if Bool.random(using: &dice) {
        noise = Array(lines.prefix(.random(in: 0..<(lines.count - 1), using: &dice)))
      }
      for _ in 0..<Int.random(in: 1..<30, using: &dice) {
        noise += Array((words.randomElement(using: &dice) ?? "").utf8)
      }
      #expect(try await refusal(of: noise) != nil)
    }
  }

  @Test func occupiedFolder_isLeftAlone() async throws {
    let original = try await ExportedLog(seed: 15, count: 3)
    let lines = try ExportedLog.lines(of: original.log)
    #expect(throws: LogError.occupied(path: original.folder.path)) {
      _ = try Log.importing(into: original.folder.path) { lines }
    }
    #expect(try original.log.whole().count == 3)
  }
}
