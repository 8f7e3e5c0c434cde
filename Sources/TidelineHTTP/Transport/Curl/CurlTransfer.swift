#if canImport(CCurl)
  import CCurl
  import EventStore
  import LMDB

  /// A request under way and its arriving answer; used on one thread.
  final class CurlTransfer {
    /// The order for a transfer.
    struct Order: Sendable {
      let number: Int
      let request: HTTPRequest
      let url: String
      let timeout: Duration
      let answerBytesMax: Int
      let mayPause: Bool
      let onSent: (@Sendable (Int64) -> Void)?
      let waiter: ResumeOnce<Result<HTTPStream, HTTPFailure>>
    }

    /// The progress of a transfer.
    private enum Progress {
      /// Nothing that counts has arrived, except for some header fields.
      case awaited([String: String])
      case begun(Inflow)
      case ended
    }

    /// The libcurl side of the request.
    let request: CurlRequest
    private let order: Order
    private let cancel: @Sendable () -> Void
    private let onRoom: @Sendable () -> Void
    private var progress = Progress.awaited([:])
    /// The number of bytes of the body handed out.
    private var sent = 0
    /// The time of the last activity.
    private var heard = ContinuousClock.now
    /// Whether it waits for its reader.
    private var isPaused = false

    /// The number of the order.
    var number: Int { order.number }

    /// The time at which the silence exceeds the timeout; a pause is no silence.
    var lateAt: ContinuousClock.Instant { (isPaused ? .now : heard) + order.timeout }

    /// Creates a transfer that is ready to start; the reader of the answer ends it by `cancel`, and
    /// calls `onRoom` if it paused, and should go on.
    init(
      _ order: Order, cancel: @escaping @Sendable () -> Void,
      onRoom: @escaping @Sendable () -> Void
    ) {
      let method = order.request.method
      self.order = order
      (self.cancel, self.onRoom) = (cancel, onRoom)
      // The body can be read only once, so a request with one is never sent twice.
      request = CurlRequest(
        method, order.url, order.request.headers,
        bodyCount: order.request.body?.count ?? (Self.hasBody.contains(method) ? 0 : nil))
      if order.mayPause { request.takeConnectionForItself() }
      request.owner = self
    }

    /// The methods that have a body, even if empty.
    private static let hasBody: Set = ["POST", "PUT", "PATCH"]

    /// Returns the failure that a libcurl code means, or `nil` for success; `notSent` only where it
    /// is certain.
    func failure(_ code: CURLcode) -> HTTPFailure? {
      switch code {
      case CURLE_OK: nil
      case CURLE_OPERATION_TIMEDOUT: .timeout
      case CURLE_URL_MALFORMAT, CURLE_UNSUPPORTED_PROTOCOL, CURLE_COULDNT_RESOLVE_PROXY,
        CURLE_COULDNT_RESOLVE_HOST, CURLE_COULDNT_CONNECT, CURLE_SSL_CONNECT_ERROR,
        CURLE_PEER_FAILED_VERIFICATION:
        request.wasSent ? .lost : .notSent
      default: .lost
      }
    }

    /// Goes on after a pause; returns whether it can.
    func goOn() -> Bool {
      (isPaused, heard) = (false, .now)
      return request.goOn()
    }

    /// Tells the waiter or the reader that nothing more comes.
    func end(_ failure: HTTPFailure?) {
      switch progress {
      case .awaited: order.waiter.resume(.failure(failure ?? .lost))
      case .begun(let inflow): inflow.end(failure)
      case .ended: break
      }
      progress = .ended
    }
  }

  extension CurlTransfer: CurlRequestOwner {
    /// Takes a line of a head.
    ///
    /// A 1xx head only announces another head; fields after the body are ignored.
    func take(line: Substring) {
      heard = .now
      guard case .awaited(var fields) = progress else { return }
      guard !line.isEmpty else {
        progress = .awaited([:])
        let status = request.status
        if !(100...199).contains(status) { begin(HTTPAnswer(status, headers: fields)) }
        return
      }
      guard let colon = line.firstIndex(of: ":") else { return }
      let value = line[line.index(after: colon)...].drop { $0 == " " || $0 == "\t" }
      fields[line[..<colon].lowercased()] = String(value)
      progress = .awaited(fields)
    }

    private func begin(_ head: HTTPAnswer) {
      let inflow = Inflow(bytesMax: order.answerBytesMax, onRoom: onRoom)
      progress = .begun(inflow)
      order.waiter.resume(.success(HTTPStream(head, inflow, cancel: cancel)))
      // The body of a password challenge does not matter.
      if head.status == 401 || head.status == 407 { end(nil) }
    }

    func pausesForReader() -> Bool {
      guard order.mayPause, case .begun(let inflow) = progress else { return false }
      isPaused = inflow.pauseIfFull()
      return isPaused
    }

    func take(piece: [UInt8]) -> Bool {
      heard = .now
      guard case .begun(let inflow) = progress else { return false }
      return inflow.put(piece)
    }

    func nextBytes(atMost room: Int) -> ArraySlice<UInt8> {
      heard = .now
      guard let body = order.request.body else { return [] }
      let piece = body[sent..<min(sent + room, body.count)]
      sent = piece.endIndex
      if !piece.isEmpty, case .awaited = progress { order.onSent?(Int64(sent)) }
      return piece
    }
  }
#endif
