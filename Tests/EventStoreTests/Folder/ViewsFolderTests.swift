import EventStore
import Foundation
import LMDB
import TestSupport
import Testing

/// Whatever it finds, opening the views comes to a decision.
@Suite struct ViewsFolderTests {
  var place: ViewsPlace
  let lease: Lease
  private var data: String {
    place.views.generations.folder(of: 1).path(of: Environment.dataFile)
  }

  init() throws {
    place = try ViewsPlace()
    lease = try #require(try place.views.tryTakeLease())
  }

  @Test func nothing_isMade_andThenUsed() throws {
    #expect(try place.open().reason == .noPointer)
    try place.build(lease)
    #expect(try place.open().used == 1)
    #expect(try place.open(boot: .before).reason == .restarted)
    #expect(try place.open(boot: nil).reason == .bootUnknown)
  }

  @Test mutating func views_ofOthers_areNotUsed() throws {
    try place.build(lease)
    let log = place.log
    place.log = .sample(9)
    #expect(try place.open().reason == .otherStore)
    place.log.store = log.store
    #expect(try place.open().reason == .otherCopy)
    place.log = log
    place.recipe.definitions += 1
    #expect(try place.open().reason == .otherDefinitions)
    place.recipe.definitions -= 1
    place.recipe.reducers += 1
    #expect(try place.open().reason == .otherReducers)
    place.recipe.reducers -= 1
    #expect(try place.open().used == 1)
  }

  @Test func file_thatIsNotWhatItWas_isNotUsed() throws {
    try place.build(lease)
    let whole = try File(data, .read).bytes(at: 0, count: 1 << 20)
    let folder = place.views.generations.folder(of: 1)
    #expect(truncate(data, 4096 + 10) == 0)
    #expect(try place.open().reason == .damagedFile(.truncated))
    #expect(truncate(data, 8192) == 0)
    #expect(try place.open().reason == .damagedFile(.truncated))
    #expect(truncate(data, 0) == 0)
    #expect(try place.open().reason == .damagedFile(.truncated))
    try folder.replace(Environment.dataFile, with: whole)
    #expect(try place.open().reason == .otherFile)
    try folder.remove(Environment.dataFile)
    #expect(try place.open().reason == .missingFile)
    try folder.removeWithFiles()
    #expect(try place.open().reason == .missingFile)
    try place.views.folder.removeWithFiles()
    #expect(try place.open().reason == .noPointer)
  }

  @Test func folder_thatIsAFile_orAboveWhichNothingIs_isAnError() throws {
    let file = place.parent.path(of: "file")
    try File(file, .create).write([1])
    for path in [file, place.parent.path(of: "a/b")] {
      #expect(throws: LMDBError.self) {
        try ViewsFolder(at: path).open(log: place.log, recipe: place.recipe)
      }
      #expect(throws: LMDBError.self) { try ViewsFolder(at: path).tryTakeLease() }
    }
  }

  /// Clean views survive a restart; views that are written to don't, until they are clean again.
  @Test mutating func cleanViews_outlastARestart() throws {
    let generation = try place.build(lease)
    let environment = try Environment(at: generation.folder.path, options: Generation.options)
    place.log.stamp = try place.views.clean(
      generation, environment, LogPoint(number: 50, chain: 1), lease)
    environment.close()
    #expect(try place.open(boot: .before).used == 1)
    #expect(try place.open(boot: nil).used == 1)
    try place.views.prepareWriting(generation, lease, boot: .before)
    #expect(try place.open(boot: .before).used == 1)
    #expect(try place.open(boot: .now).used == 1, "nothing was written yet")
    let again = try Environment(at: generation.folder.path, options: Generation.options)
    let table: Table<UInt64, [UInt8]> = try again.table(nil)
    try again.write(.none) { transaction throws(LMDBError) in
      try transaction.put([2], for: 2, in: table)
    }
    again.close()
    #expect(try place.open(boot: .before).used == 1)
    #expect(try place.open(boot: .now).reason == .writtenSince, "the stamp was left in")
    place.log.stamp = nil
    #expect(try place.open(boot: .now).reason == .restarted)
  }

  /// LMDB keeps using a removed file; a check reports the removal, and the next opening starts
  /// anew.
  @Test func folder_removedWhileOpen_isNoticed() throws {
    let generation = try place.build(lease)
    let environment = try Environment(at: generation.folder.path, options: Generation.options)
    let table: Table<UInt64, [UInt8]> = try environment.table(nil)
    #expect(try generation.check() == nil)
    try place.views.folder.removeWithFiles()
    try environment.write(.none) { transaction throws(LMDBError) in
      try transaction.put([2], for: 2, in: table)
    }
    #expect(try generation.check() == .missingFile)
    #expect(try !lease.stands())
    #expect(throws: LMDBError.self) { try place.views.prepareWriting(generation, lease) }
    #expect(throws: LMDBError.self) {
      try place.views.clean(generation, environment, LogPoint(number: 1, chain: 1), lease)
    }
    #expect(throws: LMDBError.self) {
      try place.views.swapIn(generation, lease, log: place.log, recipe: place.recipe)
    }
    let next = try #require(try place.views.tryTakeLease())
    #expect(try place.open().reason == .noPointer)
    #expect(try place.build(next).number == 1)
    #expect(try generation.check() == .otherFile)
    environment.close()
    generation.release()
    lease.release()
    #expect(try place.open().used == 1)
  }

  /// Replacing an open folder with the folder of another store is noticed.
  @Test func folder_swappedWhileOpen_isNoticed() throws {
    var other = try ViewsPlace()
    other.log = .sample(9)
    let otherLease = try #require(try other.views.tryTakeLease())
    try other.build(otherLease)
    otherLease.release()
    let generation = try place.build(lease)
    let environment = try Environment(at: generation.folder.path, options: Generation.options)
    #expect(try generation.check() == nil)
    let parent = Folder(place.parent.path)
    try parent.rename("views", to: "mine")
    try Folder("/").rename(
      String(other.views.folder.path.dropFirst()), to: String(place.views.folder.path.dropFirst()))
    #expect(try generation.check() == .otherFile)
    #expect(try !lease.stands())
    #expect(try place.open().reason == .otherStore)
    environment.close()
    let next = try #require(try place.views.tryTakeLease())
    #expect(try place.build(next).number == 2)
    #expect(try place.open().used == 2)
  }

  /// A truncated file is not accessed again, and its environment can be closed.
  @Test func file_cutOffWhileOpen_isNoticed() throws {
    let generation = try place.build(lease)
    try generation.fill(500)
    let environment = try Environment(at: generation.folder.path, options: Generation.options)
    #expect(try generation.check() == nil)
    #expect(truncate(data, 8192) == 0)
    #expect(try generation.check() == .cutOff)
    environment.close()
    #expect(try place.open().reason == .damagedFile(.truncated))
  }

  @Test func swapIn_leavesTheOldOneToItsUsers() throws {
    try place.build(lease)
    guard case .use(let reader) = try place.open() else { throw NotUsed() }
    try place.build(lease)
    #expect(try place.open().used == 2)
    #expect(try reader.check() == nil)
    #expect(try place.views.tidy(lease) == [])
    reader.release()
    #expect(try place.views.tidy(lease) == [1])
    #expect(throws: LMDBError.self) { try place.views.prepareWriting(reader, lease) }
  }

  @Test func nothing_isChangedWithoutTheLease() throws {
    let generation = try place.build(lease)
    lease.release()
    #expect(throws: LMDBError.self) { try place.views.begin(lease, log: place.log) }
    #expect(throws: LMDBError.self) {
      try place.views.swapIn(generation, lease, log: place.log, recipe: place.recipe)
    }
    #expect(throws: LMDBError.self) { try place.views.prepareWriting(generation, lease) }
    #expect(throws: LMDBError.self) { try place.views.tidy(lease) }
  }

  /// Whichever file is damaged at random, the views are used as they were or rebuilt, and a new
  /// generation can always be made.
  ///
  /// Takes over a second: hundreds of environments are created and opened.
  @Test func random_damageToAnyFile_endsInADecision() throws {
    for seed in 0..<UInt64(Campaign.size(100, long: 20_000)) {
      var random = SeededGenerator(seed: seed)
      let place = try ViewsPlace()
      let lease = try #require(try place.views.tryTakeLease())
      try place.build(lease)
      let generation = place.views.generations.folder(of: 1)
      let files = [
        place.views.folder.path(of: ViewsPointer.file), place.views.folder.path(of: Lease.file),
        generation.path(of: Environment.dataFile), generation.path(of: "use"),
      ]
      let file = files[Int.random(in: 0..<4, using: &random)]
      try damage(file, using: &random)
      let opening = try place.open()
      if case .use(let used) = opening {
        #expect(used.number == 1, "seed \(seed)")
      }
      try place.build(lease)
      #expect(try place.open().used == 2, "seed \(seed)")
    }
  }
}

/// The error if a generation that should be used is not.
struct NotUsed: Error {}
