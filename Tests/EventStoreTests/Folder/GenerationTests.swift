import EventStore
import Foundation
import LMDB
import TestSupport
import Testing

/// Several generations exist side by side, and only unused ones are removed.
@Suite struct GenerationTests {
  let place: ViewsPlace
  let lease: Lease
  var generations: Generations { place.views.generations }

  init() throws {
    place = try ViewsPlace()
    lease = try #require(try place.views.tryTakeLease())
  }

  @Test func numbers_areNeverGivenAgain() throws {
    #expect(try place.build(lease).number == 1)
    #expect(try place.build(lease).number == 2)
    #expect(try place.views.tidy(lease) == [1])
    #expect(try place.open().used == 2)
    try generations.folder(of: 2).removeWithFiles()
    #expect(try place.views.begin(lease, log: place.log).number == 3)
    var log = place.log
    log.stamp = .sample
    log.stamp?.generation = 40
    #expect(try place.views.begin(lease, log: log).number == 41)
  }

  @Test(.defect(.liveStore, 3)) func interruptedRebuild_isNeverRead_andIsRemoved() throws {
    #expect(try place.build(lease).number == 1)
    do { try place.views.begin(lease, log: place.log).fill() }
    #expect(try place.open().used == 1)
    let next = try place.views.begin(lease, log: place.log)
    #expect(next.number == 3)
    #expect(try place.views.tidy(lease) == [2])
    #expect(try generations.numbers() == [1, 3])
  }

  @Test func onlyNumbers_areGenerations() throws {
    for name in ["01", "-1", "0", "x", "18446744073709551616", "7.new"] {
      try place.views.folder.folder(name).create()
    }
    #expect(try generations.numbers() == [])
    #expect(try place.views.tidy(lease) == [])
    #expect(try place.build(lease).number == 1)
  }

  @Test func generation_inUse_isNotRemoved() throws {
    try place.build(lease)
    let reader = try #require(try generations.use(1))
    let second = try #require(try generations.use(1))
    #expect(try place.build(lease).number == 2)
    #expect(try place.views.tidy(lease) == [])
    #expect(try place.open().used == 2)
    reader.release()
    #expect(try place.views.tidy(lease) == [])
    second.release()
    #expect(try place.views.tidy(lease) == [1])
    #expect(try generations.use(1) == nil)
  }

  @Test func generation_thatAnotherProcessUses_isNotRemovedUntilItDies() async throws {
    try place.build(lease)
    let worker = try Worker()
    #expect(try await worker.ask("views use \(place.views.folder.path) 1") == "used")
    try place.build(lease)
    #expect(try place.views.tidy(lease) == [])
    #expect(try await worker.ask("views unuse") == "done")
    #expect(try await worker.ask("views use \(place.views.folder.path) 1") == "used")
    #expect(try place.views.tidy(lease) == [])
    await worker.killed()
    #expect(try place.views.tidy(lease) == [1])
  }

  @Test func check_tellsWhatHappensBehindItsBack() throws {
    try place.build(lease)
    let generation = try #require(try generations.use(1))
    let data = generation.folder.path(of: Environment.dataFile)
    #expect(try generation.check() == nil)
    try generation.fill(100)
    #expect(try generation.check() == nil)
    #expect(truncate(data, 8192) == 0)
    #expect(try generation.check() == .cutOff)
    let bytes = try File(data, .read).bytes(at: 0, count: 8192)
    try generation.folder.replace(Environment.dataFile, with: bytes)
    #expect(try generation.check() == .otherFile)
    try generation.folder.removeWithFiles()
    #expect(try generation.check() == .missingFile)
    try place.views.folder.removeWithFiles()
    #expect(try generation.check() == .missingFile)
  }
}
