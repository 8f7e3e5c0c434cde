import Foundation
import Synchronization

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Delivers the answers of a session's tasks to their waiters: first the head, once, and then the
/// body as it arrives.
final class Receiver: NSObject, Sendable {
  typealias Waiter = CheckedContinuation<Result<HTTPStream, HTTPFailure>, Never>

  /// The progress of a task.
  private enum Arrival {
    case awaited(Waiter, onSent: (@Sendable (Int64) -> Void)?)
    case begun(Inflow)
  }

  private let bytesMax: Int
  private let mayPause: Bool
  private let arrivals = Mutex<[Int: Arrival]>([:])

  init(bytesMax: Int, mayPause: Bool) {
    (self.bytesMax, self.mayPause) = (bytesMax, mayPause)
  }

  /// Registers the waiter of a task that has not started.
  func expect(_ task: Int, _ waiter: Waiter, _ onSent: (@Sendable (Int64) -> Void)?) {
    arrivals.withLock { $0[task] = .awaited(waiter, onSent: onSent) }
  }

  /// Notes that a task has ended.
  func end(_ task: Int, _ failure: HTTPFailure?) {
    switch arrivals.withLock({ $0.removeValue(forKey: task) }) {
    case .awaited(let waiter, _): waiter.resume(returning: .failure(failure ?? .lost))
    case .begun(let inflow): inflow.end(failure)
    case nil: break
    }
  }

  /// Takes the head of an answer.
  private func begin(_ task: URLSessionTask, _ head: HTTPAnswer) {
    let inflow = Inflow(bytesMax: bytesMax) { task.resume() }
    let waiter = arrivals.withLock { arrivals -> Waiter? in
      guard case .awaited(let waiter, _) = arrivals[task.taskIdentifier] else { return nil }
      arrivals[task.taskIdentifier] = .begun(inflow)
      return waiter
    }
    waiter?.resume(returning: .success(HTTPStream(head, inflow) { task.cancel() }))
  }

  /// Takes a piece of a body; returns whether to continue.
  private func take(_ task: URLSessionTask, _ piece: Data) -> Bool {
    guard case .begun(let inflow) = arrivals.withLock({ $0[task.taskIdentifier] }) else {
      return false
    }
    let goesOn = inflow.put(Array(piece))
    // On Linux, another transport does this.
    #if canImport(Darwin)
      if mayPause { inflow.pauseIfFull { task.suspend() } }
    #endif
    return goesOn
  }
}

extension Receiver: URLSessionDataDelegate {
  func urlSession(
    _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
    completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
  ) {
    let head = (response as? HTTPURLResponse).map { HTTPAnswer($0) } ?? HTTPAnswer(0)
    // A 1xx head only announces the head that counts.
    if !(100...199).contains(head.status) { begin(dataTask, head) }
    // The body of a password challenge may never end, and does not matter.
    let isOver = head.status == 401 || head.status == 407
    if isOver { end(dataTask.taskIdentifier, nil) }
    completionHandler(isOver ? .cancel : .allow)
  }

  func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
    if !take(dataTask, data) { dataTask.cancel() }
  }

  func urlSession(
    _ session: URLSession, task: URLSessionTask, didSendBodyData bytesSent: Int64,
    totalBytesSent: Int64, totalBytesExpectedToSend: Int64
  ) {
    guard case .awaited(_, let onSent?) = arrivals.withLock({ $0[task.taskIdentifier] }) else {
      return
    }
    onSent(totalBytesSent)
  }

  func urlSession(
    _ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?
  ) {
    end(task.taskIdentifier, error.map { HTTPFailure($0, sent: task.countOfBytesSent) })
  }

  func urlSession(
    _ session: URLSession, task: URLSessionTask,
    willPerformHTTPRedirection response: HTTPURLResponse, newRequest request: URLRequest,
    completionHandler: @escaping @Sendable (URLRequest?) -> Void
  ) {
    // The head may not arrive in any other way.
    begin(task, HTTPAnswer(response))
    end(task.taskIdentifier, nil)
    completionHandler(nil)
    task.cancel()
  }

  func urlSession(
    _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge,
    completionHandler:
      @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
  ) {
    // The system decides whether to trust a server.
    let isForPassword = Self.passwordMethods.contains(
      challenge.protectionSpace.authenticationMethod)
    // Some systems report the challenge before the head, and never deliver the head of a refused
    // challenge.
    if isForPassword, let head = challenge.failureResponse as? HTTPURLResponse {
      begin(task, HTTPAnswer(head))
      end(task.taskIdentifier, nil)
    }
    completionHandler(isForPassword ? .cancelAuthenticationChallenge : .performDefaultHandling, nil)
  }

  /// The methods by which a server asks for a name and a password.
  private static let passwordMethods: Set = [
    NSURLAuthenticationMethodDefault, NSURLAuthenticationMethodHTTPBasic,
    NSURLAuthenticationMethodHTTPDigest,
  ]
}

extension HTTPAnswer {
  /// Creates an answer from a head.
  fileprivate init(_ response: HTTPURLResponse) {
    let headers = response.allHeaderFields.compactMap { name, value in
      (name as? String).map { ($0, "\(value)") }
    }
    self.init(response.statusCode, headers: Dictionary(headers, uniquingKeysWith: { $1 }))
  }
}

extension HTTPFailure {
  /// Creates the failure that a session's error means; `notSent` only where it is certain.
  ///
  /// - Parameter sent: The bytes of the body sent before the error: the connection may break after
  ///   them.
  package init(_ error: any Error, sent: Int64) {
    switch (error as? URLError)?.code {
    case .cancelled: self = .cancelled
    case .timedOut: self = .timeout
    case .notConnectedToInternet, .cannotFindHost, .cannotConnectToHost, .dnsLookupFailed,
      .dataNotAllowed, .internationalRoamingOff, .callIsActive, .secureConnectionFailed,
      .serverCertificateUntrusted, .serverCertificateHasBadDate,
      .serverCertificateNotYetValid, .serverCertificateHasUnknownRoot:
      self = sent > 0 ? .lost : .notSent
    default: self = .lost
    }
  }
}
