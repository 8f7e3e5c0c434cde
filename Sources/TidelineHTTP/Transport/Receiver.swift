import Foundation
import Synchronization

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Puts the answers of a session's tasks together, and gives each to whoever waits for it, once.
final class Receiver: NSObject, Sendable {
  typealias Waiter = CheckedContinuation<Result<HTTPAnswer, HTTPFailure>, Never>

  /// What has come for a task.
  private struct Arrival {
    let waiter: Waiter
    var answer: HTTPAnswer?
  }

  private let bytesMax: Int
  private let arrivals = Mutex<[Int: Arrival]>([:])

  init(bytesMax: Int) { self.bytesMax = bytesMax }

  /// Has somebody wait for a task that was not begun.
  func expect(_ task: Int, _ waiter: Waiter) {
    arrivals.withLock { $0[task] = Arrival(waiter: waiter) }
  }

  private func end(_ task: Int, _ result: (HTTPAnswer?) -> Result<HTTPAnswer, HTTPFailure>) {
    guard let arrival = arrivals.withLock({ $0.removeValue(forKey: task) }) else { return }
    arrival.waiter.resume(returning: result(arrival.answer))
  }

  /// Takes the head of an answer; says whether the rest is wanted.
  private func begin(_ task: Int, _ response: URLResponse) -> Bool {
    guard let head = response as? HTTPURLResponse else { return true }
    let answer = HTTPAnswer(head)
    // What asks for a password may never end; its body says nothing that matters.
    if answer.status == 401 || answer.status == 407 {
      end(task) { _ in .success(answer) }
      return false
    }
    guard head.expectedContentLength <= Int64(bytesMax) else {
      end(task) { [bytesMax] _ in .failure(.tooLong(limit: bytesMax)) }
      return false
    }
    arrivals.withLock { $0[task]?.answer = answer }
    return true
  }

  /// Takes a piece of a body; says whether more is wanted.
  private func take(_ task: Int, _ piece: Data) -> Bool {
    let isTooLong = arrivals.withLock { arrivals in
      arrivals[task]?.answer?.body.append(contentsOf: piece)
      return arrivals[task]?.answer?.body.count ?? 0 > bytesMax
    }
    guard isTooLong else { return true }
    end(task) { [bytesMax] _ in .failure(.tooLong(limit: bytesMax)) }
    return false
  }
}

extension Receiver: URLSessionDataDelegate {
  func urlSession(
    _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
    completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
  ) {
    completionHandler(begin(dataTask.taskIdentifier, response) ? .allow : .cancel)
  }

  func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
    if !take(dataTask.taskIdentifier, data) { dataTask.cancel() }
  }

  func urlSession(
    _ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?
  ) {
    end(task.taskIdentifier) { answer in
      if let error { return .failure(HTTPFailure(error)) }
      return answer.map { .success($0) } ?? .failure(.lost)
    }
  }

  func urlSession(
    _ session: URLSession, task: URLSessionTask,
    willPerformHTTPRedirection response: HTTPURLResponse, newRequest request: URLRequest,
    completionHandler: @escaping @Sendable (URLRequest?) -> Void
  ) {
    // The head may come by no other way.
    end(task.taskIdentifier) { _ in .success(HTTPAnswer(response)) }
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
  init(_ error: any Error) {
    switch (error as? URLError)?.code {
    case .cancelled: self = .cancelled
    case .timedOut: self = .timeout
    case .notConnectedToInternet, .cannotFindHost, .cannotConnectToHost, .dnsLookupFailed,
      .dataNotAllowed, .internationalRoamingOff, .callIsActive, .badURL, .unsupportedURL,
      .secureConnectionFailed, .serverCertificateUntrusted, .serverCertificateHasBadDate,
      .serverCertificateNotYetValid, .serverCertificateHasUnknownRoot:
      self = .notSent
    default: self = .lost
    }
  }
}
