import EventStore
import Foundation
import LMDB
import TestSupport
import Testing

/// One process at a time writes the views.
@Suite struct LeaseTests {
  let place: ViewsPlace
  var path: String { place.views.folder.path }

  init() throws { place = try ViewsPlace() }

  @Test func lease_isTakenOnce_andGivenBack() throws {
    let lease = try #require(try place.views.tryTakeLease())
    #expect(!lease.isInherited)
    #expect(try lease.stands())
    #expect(try place.views.tryTakeLease() == nil)
    #expect(try Lease.holder(in: place.views.folder) == Int(getpid()))
    lease.release()
    lease.release()
    #expect(try !lease.stands())
    #expect(try Lease.holder(in: place.views.folder) == nil)
    let second = try #require(try place.views.tryTakeLease())
    #expect(!second.isInherited)
  }

  @Test func lease_goesBackWithTheLastReference() throws {
    do { _ = try #require(try place.views.tryTakeLease()) }
    #expect(try place.views.tryTakeLease()?.isInherited == false)
  }

  @Test func lease_ofAFolderThatWasRemoved_standsNoMore() throws {
    let lease = try #require(try place.views.tryTakeLease())
    try place.views.folder.removeWithFiles()
    #expect(try !lease.stands())
    let second = try #require(try place.views.tryTakeLease())
    #expect(try second.stands() && !lease.stands())
    #expect(throws: LMDBError.self) { try place.views.begin(lease, log: place.log) }
    lease.release()
    #expect(try second.stands())
    #expect(try Lease.holder(in: place.views.folder) == Int(getpid()))
  }

  @Test func lease_ofAnotherFolder_isRefused() throws {
    let other = try ViewsPlace()
    let lease = try #require(try other.views.tryTakeLease())
    _ = try place.views.tryTakeLease()
    #expect(throws: LMDBError.self) { try place.views.begin(lease, log: place.log) }
    #expect(throws: LMDBError.self) { try place.views.tidy(lease) }
  }

  @Test func contentOfTheFile_isForMessagesOnly() throws {
    try place.views.folder.create()
    for text in ["", "x", "-1", "99999999999999999999999", "\u{0}\u{0}", "007"] {
      try place.views.folder.replace(Lease.file, with: Array(text.utf8))
      let lease = try #require(try place.views.tryTakeLease(), "\(text)")
      #expect(lease.isInherited == (text == "007"))
      lease.release()
    }
  }

  @Test func lease_ofAnotherProcess_isRespected_andInheritedWhenItDies() async throws {
    let worker = try Worker()
    #expect(try await worker.ask("views lease \(path)") == "taken")
    #expect(try place.views.tryTakeLease() == nil)
    #expect(try Lease.holder(in: place.views.folder) == Int(worker.identifier))
    #expect(try await worker.ask("views release") == "done")
    let mine = try #require(try place.views.tryTakeLease())
    #expect(!mine.isInherited)
    #expect(try await worker.ask("views lease \(path)") == "busy")
    mine.release()
    #expect(try await worker.ask("views lease \(path)") == "taken")
    await worker.killed()
    let next = try #require(try place.views.tryTakeLease())
    #expect(next.isInherited)
    next.release()
    #expect(try place.views.tryTakeLease()?.isInherited == false)
  }
}
