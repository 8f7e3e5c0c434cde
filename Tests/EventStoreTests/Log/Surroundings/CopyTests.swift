import EventStore
import Foundation
import TestSupport
import Testing

/// A store is copied or restored, and positions of one copy are looked up in the other.
@Suite struct CopyTests {
  let (folder, other): (TemporaryFolder, TemporaryFolder)

  init() throws { (folder, other) = (try TemporaryFolder(), try TemporaryFolder()) }

  private func copy() throws {
    let manager = FileManager.default
    try manager.copyItem(atPath: folder.path(of: "data.mdb"), toPath: other.path(of: "data.mdb"))
  }

  @Test func copy_isTheSameStoreInANewIncarnation() async throws {
    let log = try await Log.open(at: folder.path)
    try await log.append(.of("a", "b"))
    let position = try await log.position()
    await log.close()
    try copy()

    let copy = try await Log.open(at: other.path)
    #expect(copy.store == log.store && copy.incarnation != log.incarnation)
    #expect(copy.fingerprint(of: "a") == log.fingerprint(of: "a"))
    #expect(try copy.texts() == ["a", "b"])
    #expect(try copy.holds(position))
    await copy.close()

    let again = try await Log.open(at: other.path)
    #expect(again.incarnation == copy.incarnation, "it is settled once")
    await again.close()
  }

  @Test func position_ofAnotherHistory_isNotHeld() async throws {
    let log = try await Log.open(at: folder.path)
    try await log.append(.of("a"))
    let common = try await log.position()
    await log.close()
    try copy()

    let copy = try await Log.open(at: other.path)
    try await copy.append(.of("b", "c"))
    let again = try await Log.open(at: folder.path)
    try await again.append(.of("x"))
    let (left, right) = (try await again.position(), try await copy.position(at: 2))
    #expect(left.number == right.number)
    #expect(try again.holds(left) && copy.holds(right))
    #expect(try !copy.holds(left) && !again.holds(right), "the records differ")
    #expect(try again.holds(common) && copy.holds(common))
    #expect(try await !again.holds(copy.position()), "it is beyond the end")
    await copy.close()
    await again.close()
  }

  @Test func position_ofAnotherStore_isNotHeld() async throws {
    let (log, stranger) = (try await Log.open(at: folder.path), try await Log.open(at: other.path))
    for log in [log, stranger] { try await log.append(.of("a")) }
    #expect(try await !log.holds(stranger.position()))
    #expect(try await !log.holds(stranger.position(at: 0)))
    #expect(try await log.holds(log.position(at: 0)))
    await log.close()
    await stranger.close()
  }

  @Test func position_survivesCoding() async throws {
    let log = try await Log.open(at: folder.path)
    try await log.append(.of("a"))
    let position = try await log.position()
    let coded = try JSONDecoder().decode(Position.self, from: JSONEncoder().encode(position))
    #expect(try coded == position && log.holds(coded))
    await log.close()
  }

  @Test func position_ofNoRecord_isRefused() async throws {
    let log = try await Log.open(at: folder.path)
    await #expect(throws: LogError.damagedRecord(1, .absent)) { try await log.position(at: 1) }
    #expect(try await log.position().number == 0)
    await log.close()
  }
}
