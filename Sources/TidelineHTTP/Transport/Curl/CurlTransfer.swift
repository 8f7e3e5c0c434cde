#if canImport(CCurl)
  import CCurl
  import EventStore
  import LMDB

  /// A request on its way, and the answer as it comes; used on one thread.
  final class CurlTransfer {
    /// What is wanted.
    struct Order: Sendable {
      let number: Int
      let request: HTTPRequest
      let url: String
      let timeout: Duration
      let answerBytesMax: Int
      let onSent: (@Sendable (Int64) -> Void)?
      let waiter: Answer<Result<HTTPStream, HTTPFailure>>
    }

    /// How far it has come.
    private enum Progress {
      /// Nothing has come that counts, but for some fields of a head.
      case awaited([String: String])
      case begun(Inflow)
      case ended
    }

    /// What the library knows of it.
    let request: CurlRequest
    private let order: Order
    private let cancel: @Sendable () -> Void
    private var progress = Progress.awaited([:])
    /// How much of the body was given away.
    private var sent = 0
    /// When something happened last.
    private var heard = ContinuousClock.now

    /// The number that it was ordered with.
    var number: Int { order.number }

    /// From when on nothing has happened for too long.
    var lateAt: ContinuousClock.Instant { heard + order.timeout }

    /// One that is ready to begin; `cancel` is how whoever reads the answer ends it.
    init(_ order: Order, cancel: @escaping @Sendable () -> Void) {
      let method = order.request.method
      self.order = order
      self.cancel = cancel
      // A body is asked for only once, so that a request with one is never sent twice.
      request = CurlRequest(
        method, order.url, order.request.headers,
        bodyCount: order.request.body?.count ?? (Self.hasBody.contains(method) ? 0 : nil))
      request.owner = self
    }

    /// What has a body, be it an empty one.
    private static let hasBody: Set = ["POST", "PUT", "PATCH"]

    /// What a code of the library means, or `nil` where all is well; what is not certain is that
    /// nothing was sent.
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

    /// Tells whoever waits, and whoever reads, that nothing more comes.
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
    /// Of several heads, the first say only that another comes; and behind the body there may be
    /// more fields, which say nothing that matters.
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
      let inflow = Inflow(bytesMax: order.answerBytesMax)
      progress = .begun(inflow)
      order.waiter.resume(.success(HTTPStream(head, inflow, cancel: cancel)))
      // What asks for a password says nothing more that matters.
      if head.status == 401 || head.status == 407 { end(nil) }
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
