import Foundation
import Synchronization

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Gives the answers of a session's tasks to whoever waits for them: the head first, once, and then
/// the body as it comes.
final class Receiver: NSObject, Sendable {
  typealias Waiter = CheckedContinuation<Result<HTTPStream, HTTPFailure>, Never>

  /// How far a task has come.
  private enum Arrival {
    case awaited(Waiter, onSent: (@Sendable (Int64) -> Void)?)
    case begun(Inflow)
  }

  private let bytesMax: Int
  private let arrivals = Mutex<[Int: Arrival]>([:])

  init(bytesMax: Int) { self.bytesMax = bytesMax }

  /// Has somebody wait for a task that was not begun.
  func expect(_ task: Int, _ waiter: Waiter, _ onSent: (@Sendable (Int64) -> Void)?) {
    arrivals.withLock { $0[task] = .awaited(waiter, onSent: onSent) }
  }

  /// Notes that nothing more comes for a task.
  func end(_ task: Int, _ failure: HTTPFailure?) {
    switch arrivals.withLock({ $0.removeValue(forKey: task) }) {
    case .awaited(let waiter, _): waiter.resume(returning: .failure(failure ?? .lost))
    case .begun(let inflow): inflow.end(failure)
    case nil: break
    }
  }

  /// Takes the head of an answer.
  private func begin(_ task: URLSessionTask, _ head: HTTPAnswer) {
    let inflow = Inflow(bytesMax: bytesMax)
    let waiter = arrivals.withLock { arrivals -> Waiter? in
      guard case .awaited(let waiter, _) = arrivals[task.taskIdentifier] else { return nil }
      arrivals[task.taskIdentifier] = .begun(inflow)
      return waiter
    }
    waiter?.resume(returning: .success(HTTPStream(head, inflow) { task.cancel() }))
  }

  /// Takes a piece of a body; returns whether more is wanted.
  private func take(_ task: Int, _ piece: Data) -> Bool {
    guard case .begun(let inflow) = arrivals.withLock({ $0[task] }) else { return false }
    return inflow.put(Array(piece))
  }
}

extension Receiver: URLSessionDataDelegate {
  func urlSession(
    _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
    completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
  ) {
    let head = (response as? HTTPURLResponse).map { HTTPAnswer($0) } ?? HTTPAnswer(0)
    // Such a head only says that the one which counts comes yet.
    if !(100...199).contains(head.status) { begin(dataTask, head) }
    // What asks for a password may never end; its body says nothing that matters.
    let isOver = head.status == 401 || head.status == 407
    if isOver { end(dataTask.taskIdentifier, nil) }
    completionHandler(isOver ? .cancel : .allow)
  }

  func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
    if !take(dataTask.taskIdentifier, data) { dataTask.cancel() }
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
    // The head may come by no other way.
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
    // Whether a server is who it says it is remains the system's to decide.
    let isForPassword = Self.passwordMethods.contains(
      challenge.protectionSpace.authenticationMethod)
    // Some systems ask before they give the head, and never give that of what is refused then.
    if isForPassword, let head = challenge.failureResponse as? HTTPURLResponse {
      begin(task, HTTPAnswer(head))
      end(task.taskIdentifier, nil)
    }
    completionHandler(isForPassword ? .cancelAuthenticationChallenge : .performDefaultHandling, nil)
  }

  /// How a server may ask for a name and a password.
  private static let passwordMethods: Set = [
    NSURLAuthenticationMethodDefault, NSURLAuthenticationMethodHTTPBasic,
    NSURLAuthenticationMethodHTTPDigest,
  ]
}

extension HTTPAnswer {
  /// The head of an answer.
  fileprivate init(_ response: HTTPURLResponse) {
    let headers = response.allHeaderFields.compactMap { name, value in
      (name as? String).map { ($0, "\(value)") }
    }
    self.init(response.statusCode, headers: Dictionary(headers, uniquingKeysWith: { $1 }))
  }
}

extension HTTPFailure {
  /// What an error of a session means; what is not certain is that nothing was sent.
  ///
  /// - Parameter sent: The bytes of the body that went before: the line may be lost behind them.
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
