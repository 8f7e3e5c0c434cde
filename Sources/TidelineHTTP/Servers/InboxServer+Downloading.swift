public import Tideline
public import TidelineSync

/// The content of files.
extension InboxServer {
  /// Returns the content of a file as it arrives.
  ///
  /// It sends no request before the first piece is asked for, and none after the sequence is
  /// released. A page in place of another kind of file, such as a network's login page, is a
  /// failure.
  public func content(
    of file: Attachment, id: String, token: Token?
  ) -> AsyncStream<Result<[UInt8], ServerFailure>> {
    let body = BodyReader(
      courier, api.content(ofFile: id), token, for: .question, silence: courier.timeout,
      mayBePage: file.isPage)
    return AsyncStream {
      do throws(ServerFailure) {
        return try await body.next().map { .success(Array($0.joined())) }
      } catch { return Task.isCancelled ? nil : .failure(error) }
    }
  }
}

extension Attachment {
  /// Whether the file may be a page of the web.
  fileprivate var isPage: Bool {
    guard let contentType else { return filename?.lowercased().contains(".htm") ?? true }
    return contentType.lowercased().contains("html")
  }
}
