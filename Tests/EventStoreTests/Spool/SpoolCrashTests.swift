import EventStore
import LMDB
import TestSupport
import Testing

/// Each written event is drained once, whatever a crash leaves and however many drains run.
@Suite struct SpoolCrashTests {
  /// Every state that a crash between the commit and the flush of the folder can leave.
  @Test(arguments: 0..<8, [false, true])
  func drainedFiles_thatAreThereAgain_areNotDrainedAgain(left: Int, isFollowed: Bool) async throws {
    let place = try await SpoolFolder()
    try place.write(["a", "b", "c"])
    let files = try place.files().sorted { $0.key < $1.key }
    _ = try await place.log.drain(place.spool)
    await place.log.close()
    for (index, file) in files.enumerated() where left >> index & 1 == 1 {
      try place.put(file.value, as: file.key)
    }

    let log = try await Log.open(at: place.temporary.path)
    if isFollowed { try place.spool.write(.note(at: -1)) { $0.put(1, "d") } }
    #expect(try await log.drain(place.spool) == (isFollowed ? .of(4...4) : Drained()))
    #expect(try await log.drain(place.spool) == Drained())
    #expect(try log.texts() == ["a", "b", "c"] + (isFollowed ? ["d"] : []))
    #expect(try place.folder.names() == [])
    await log.close()
  }

  /// Every state that a crash of a writer can leave.
  @Test func unfinishedFiles_areNeitherDrainedNorInTheWay() async throws {
    let place = try await SpoolFolder(seed: 1)
    let name = try place.spool.write(.note) { $0.put(1, "a") }
    let bytes = try place.bytes(of: name)
    for count in 0...bytes.count {
      let path = place.folder.path(of: "\(count).event.part")
      try File(path, .create).write(Array(bytes.prefix(count)))
    }
    #expect(try await place.log.drain(place.spool) == .of(1...1))
    #expect(try place.folder.names().count == 16)
    await place.log.close()
  }

  // Takes about a second: each event is flushed to the disk twice.
  @Test(arguments: [0, 16])
  func events_ofManyWriters_areDrainedOnceByManyDrains(unfinishedMax: Int) async throws {
    let place = try await SpoolFolder()
    let (tasks, events) = (8, Campaign.size(10, long: 100))
    var limits = SpoolDrain.Limits()
    (limits.countMax, limits.unfinishedMax) = (5, unfinishedMax)
    let written = Flag()
    try await withThrowingTaskGroup { group in
      for _ in 0..<3 {
        group.addTask { [limits] in
          while !written.isSet { _ = try await place.log.drain(place.spool, limits: limits) }
        }
      }
      try await withThrowingTaskGroup { writers in
        for task in 0..<tasks {
          writers.addTask {
            for event in 0..<events {
              try place.spool.write(.note(at: Int64(event))) { $0.put(1, "\(task).\(event)") }
            }
          }
        }
        defer { written.set() }
        try await writers.waitForAll()
      }
      try await group.waitForAll()
    }
    _ = try await place.log.drain(place.spool)
    let expected = (0..<tasks).flatMap { task in (0..<events).map { "\(task).\($0)" } }
    #expect(try place.log.texts().sorted() == expected.sorted())
    #expect(try place.folder.names() == [])
    await place.log.close()
  }

  // Takes over a second: two processes are started, and each event is flushed twice.
  @Test func events_drainedByTwoProcesses_areDrainedOnce() async throws {
    let place = try await SpoolFolder()
    let path = place.temporary.path
    let count = Campaign.size(60, long: 400)
    async let other = #expect(processExitsWith: .success) { [path = path as String] in
      let log = try await Log.open(at: path)
      let spool = try Spool(at: path + "/spool")
      var limits = SpoolDrain.Limits()
      limits.countMax = 2
      var isOver = false
      while !isOver {
        isOver = Folder(path).contains("written")
        _ = try await log.drain(spool, limits: limits)
      }
      await log.close()
    }
    for index in 0..<count {
      try place.spool.write(.note(at: Int64(index))) { $0.put(1, "\(index)") }
      if index % 3 == 0 { _ = try await place.log.drain(place.spool) }
    }
    try File(place.temporary.path(of: "written"), .create).flush()
    _ = await other
    _ = try await place.log.drain(place.spool)
    #expect(try place.log.texts().sorted() == (0..<count).map { "\($0)" }.sorted())
    #expect(try place.folder.names() == [])
    await place.log.close()
  }
}
