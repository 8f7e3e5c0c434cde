import EventStore
import Foundation
import LMDB
import Synchronization
public import Tideline

/// The content of files.
extension Sync {
  /// Downloads the content of a file to a path, and records that it is there.
  ///
  ///     let path = folder.appending(path: file.id).path(percentEncoded: false)
  ///     try await sync.download(file, to: path)
  ///
  /// The file at the path is replaced once all of the content has arrived; until then the content
  /// is beside it, in a hidden file that ends in `.part`, which stays if the process ends and can
  /// then be removed. Synchronization need not have begun. The content stays where it is until the
  /// app removes it, also after a logout.
  ///
  /// - Parameters:
  ///   - file: A file that the inbox shows.
  ///   - path: Where to store the content, in an existing folder.
  ///   - localPath: What the file's `localPath` becomes, such as a path within a folder
  ///     that may move; `nil` for `path`.
  ///   - onProgress: Receives the number of bytes that have arrived, each time it grows.
  /// - Throws: `IntentError` `unknown` or `loggedOut`; `ServerFailure`, such as `notFound` if the
  ///   server does not have the file, or not yet; `CancellationError`; `CocoaError` if the content
  ///   can't be stored. Also what `Inbox.apply` throws if it can't be recorded: the content is then
  ///   at the path.
  public func download(
    _ file: Attachment, to path: String, as localPath: String? = nil,
    onProgress: (@Sendable (Int) -> Void)? = nil
  ) async throws {
    _ = try inbox.login()
    let id = try serverID(of: file)
    let token = try await token()
    do {
      try await receive(file, id, token, at: path, onProgress)
    } catch let failure as ServerFailure where failure.reason == .unauthorized {
      let token = try await replacement(of: token, failure)
      try await receive(file, id, token, at: path, onProgress)
    }
    var stored = Attachment(partOf: file.id, account: file.account)
    stored.localPath = localPath ?? path
    try await inbox.apply(Delivery { [stored] in $0.add(stored) })
  }

  private func serverID(of file: Attachment) throws -> String {
    guard try inbox.object(Attachment.self, file.id) != nil else {
      throw IntentError.unknown(id: file.id)
    }
    let id = try inbox.store.core.read { snapshot in
      snapshot.isNew(file.id, .file, of: inbox.account)
        ? nil : snapshot.serverID(of: file.id, .file, in: inbox.account)
    }
    guard let id else { throw ServerFailure(.notFound) }
    return id
  }

  private func receive(
    _ file: Attachment, _ id: String, _ token: Token?, at path: String,
    _ onProgress: (@Sendable (Int) -> Void)?
  ) async throws {
    let unfinished = try UnfinishedFile(at: path)
    do {
      var count = 0
      for await result in server.content(of: file, id: id, token: token) {
        let piece = try result.get()
        try unfinished.append(piece)
        count += piece.count
        onProgress?(count)
      }
      try Task.checkCancellation()
      try unfinished.finish()
    } catch {
      unfinished.remove()
      throw error
    }
  }

  /// Returns the token of synchronization, or a first one.
  private func token() async throws(ServerFailure) -> Token? {
    let pass = state.withLock(\.pass)
    guard pass.number == 0, let tokens else { return pass.token }
    do { return try await tokens.token(replacing: nil) } catch {
      throw ServerFailure(error.isOfDelayedToken ? .notSent : .unauthorized, message: "\(error)")
    }
  }

  /// Returns the token that synchronization has got meanwhile, or a new one.
  private func replacement(
    of refused: Token?, _ failure: ServerFailure
  ) async throws(ServerFailure) -> Token? {
    let pass = state.withLock(\.pass)
    if pass.number > 0, pass.token != refused { return pass.token }
    guard let token = try? await tokens?.token(replacing: refused) else { throw failure }
    return token
  }
}

/// A file that takes its place once it is complete.
private struct UnfinishedFile {
  private let folder: Folder
  private let name: String
  private let part: String
  private let handle: FileHandle

  init(at path: String) throws {
    let url = URL(filePath: path)
    folder = Folder(url.deletingLastPathComponent().path(percentEncoded: false))
    name = url.lastPathComponent
    // A folder takes a name that is as long as the file's, but hardly a longer one.
    part = ".\(UUID().uuidString).part"
    let place = folder.path(of: part)
    guard FileManager.default.createFile(atPath: place, contents: nil) else {
      throw CocoaError(.fileWriteUnknown, userInfo: [NSFilePathErrorKey: place])
    }
    handle = try FileHandle(forWritingTo: URL(filePath: place))
  }

  func append(_ piece: [UInt8]) throws { try handle.write(contentsOf: piece) }

  /// Puts the file into its place: at any moment, and after a loss of power, the old one or the new
  /// one is there.
  func finish() throws {
    try handle.synchronize()
    try handle.close()
    do { try folder.rename(part, to: name) } catch {
      throw CocoaError(
        .fileWriteUnknown,
        userInfo: [NSFilePathErrorKey: folder.path(of: name), NSUnderlyingErrorKey: error])
    }
  }

  func remove() {
    try? handle.close()
    try? FileManager.default.removeItem(atPath: folder.path(of: part))
  }
}
