import EventStore
import Synchronization
import TestSupport
import Testing
import Tideline
import TidelineSync

/// The progress of uploads.
@Suite(.timeLimit(.minutes(5))) struct UploadTests {
  @Test(.feature(60)) func file_isToldOf_asItIsSent() async throws {
    let (steps, step) = AsyncStream<Int64>.makeStream()
    let server = SteppingServer(steps)
    try await TestDesk.withInbox { inbox, _ in
      let sync = Sync(inbox, with: server)
      sync.start()
      let draft = Draft(id: inbox.newID(), account: inbox.account)
      try await inbox.perform(.save(draft)).confirmed()
      #expect(sync.status.uploads.isEmpty)
      var file = Attachment(id: inbox.newID(), account: inbox.account)
      file.localPath = "/a"
      let receipt = try await inbox.perform(.add(file, to: draft))
      for sent in [0, 512, 1024] as [Int64] {
        step.yield(sent)
        let status = try await sync.status {
          $0.uploads.first?.sent == sent && $0.uploads.first?.total == 1024
        }
        #expect(status.uploads.map(\.id) == [file.id])
        #expect(status.uploads.first?.fraction == Double(sent) / 1024)
      }
      step.finish()
      try await sync.status { $0.uploads.isEmpty }
      try await receipt.confirmed()
      // A late report belongs to no upload in flight.
      server.uploaded?.report(sent: 1, of: 1024)
      #expect(sync.status.uploads.isEmpty)
      sync.stop()
    }
  }
}

/// A server that takes a file step by step.
private final class SteppingServer: Server {
  private let steps: AsyncStream<Int64>
  private let last = Mutex<ServerRequest?>(nil)

  let abilities = ServerAbilities()
  /// The request that the file came with.
  var uploaded: ServerRequest? { last.withLock(\.self) }

  init(_ steps: AsyncStream<Int64>) { self.steps = steps }

  func answer(_ question: Question, token: Token?) async throws(ServerFailure) -> Answer {
    throw ServerFailure(.unsupported)
  }

  func perform(
    _ request: ServerRequest, token: Token?
  ) async throws(ServerFailure) -> Settlement {
    guard case .file = request.parts[0].wanted else { return Settlement([.done(newID: "d1")]) }
    last.withLock { $0 = request }
    for await sent in steps { request.report(sent: sent, of: 1024) }
    return Settlement([.done(newID: "f1")])
  }
}
