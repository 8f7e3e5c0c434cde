import CMicroHTTPD
import TidelineHTTP

/// A libmicrohttpd server with one thread per connection.
///
/// This file contains all memory that Swift does not manage. Memory lent to the library lives until
/// the library reports the end of the request, stream or server. Each piece is used by one thread
/// at a time, except the attendant, which is `Sendable`.
@safe final class Daemon: Sendable {
  /// The port that it listens on.
  let port: UInt16
  private let attendant: Unmanaged<Attendant>
  private nonisolated(unsafe) let daemon: OpaquePointer

  /// Starts to listen; `nil` on failure.
  init?(port: UInt16, _ attendant: Attendant) {
    let kept = unsafe Unmanaged.passRetained(attendant)
    guard
      let daemon = unsafe tideline_start(
        port, kept.toOpaque(), beginRequest, answerRequest, endRequest)
    else {
      unsafe kept.release()
      return nil
    }
    unsafe self.attendant = kept
    unsafe self.daemon = daemon
    self.port = unsafe tideline_port(daemon)
  }

  /// Ends all connections, and returns when they are gone; must be called only once.
  func stop() {
    unsafe MHD_stop_daemon(daemon)
    unsafe attendant.release()
  }
}

/// A request while it arrives.
private final class Arrival {
  var request: HTTPRequest
  var hasHead = false
  private var body: [UInt8] = []

  init(_ path: String) { request = HTTPRequest("", path) }

  /// Takes a piece of the body, and returns `true`; returns `false` if it exceeds the limit.
  func take(_ piece: UnsafeRawBufferPointer) -> Bool {
    guard body.count + piece.count <= Attendant.bodyBytesMax else { return false }
    unsafe body.append(contentsOf: piece)
    return true
  }

  /// The request with its whole body.
  var whole: HTTPRequest {
    var whole = request
    if !body.isEmpty { whole.body = body }
    return whole
  }
}

/// A body while it is sent.
private final class Departure {
  private let pieces: () -> [UInt8]?
  /// The code for the library after the last piece.
  private let end: Int
  private var rest: ArraySlice<UInt8> = []

  init(end: Int, _ pieces: @escaping () -> [UInt8]?) {
    self.pieces = pieces
    self.end = end
  }

  func write(to buffer: UnsafeMutableRawBufferPointer) -> Int {
    while rest.isEmpty {
      guard let piece = pieces() else { return end }
      rest = piece[...]
    }
    let piece = rest.prefix(buffer.count)
    unsafe buffer.copyBytes(from: piece)
    rest = rest.dropFirst(piece.count)
    return piece.count
  }
}

/// Begins a request with its raw path; called by the library when a request begins.
private func beginRequest(
  _: UnsafeMutableRawPointer?, _ path: UnsafePointer<CChar>?, _: OpaquePointer?
) -> UnsafeMutableRawPointer? {
  let path = unsafe path.map { unsafe String(cString: $0) } ?? "/"
  return unsafe Unmanaged.passRetained(Arrival(path)).toOpaque()
}

/// Takes the head, each piece of the body, and its end; called by the library for each of them.
private func answerRequest(
  _ context: UnsafeMutableRawPointer?, _ connection: OpaquePointer?,
  _: UnsafePointer<CChar>?, _ method: UnsafePointer<CChar>?, _: UnsafePointer<CChar>?,
  _ piece: UnsafePointer<CChar>?, _ count: UnsafeMutablePointer<Int>?,
  _ state: UnsafeMutablePointer<UnsafeMutableRawPointer?>?
) -> MHD_Result {
  guard let context = unsafe context, let count = unsafe count, let state = unsafe state?.pointee
  else { return .NO }
  let arrival = unsafe Unmanaged<Arrival>.fromOpaque(state).takeUnretainedValue()
  guard arrival.hasHead else {
    arrival.hasHead = true
    arrival.request.method = unsafe method.map { unsafe String(cString: $0) } ?? ""
    unsafe MHD_get_connection_values(connection, .HEADER_KIND, takeHeader, state)
    return .YES
  }
  if let piece = unsafe piece, unsafe count.pointee > 0 {
    let bytes = unsafe UnsafeRawBufferPointer(start: piece, count: count.pointee)
    // Unread bytes over the limit end the connection.
    guard unsafe arrival.take(bytes) else { return .NO }
    unsafe count.pointee = 0
    return .YES
  }
  let attendant = unsafe Unmanaged<Attendant>.fromOpaque(context).takeUnretainedValue()
  return unsafe send(attendant.outgoing(for: arrival.whole), to: connection)
}

/// Takes a header field; called by the library for each one.
private func takeHeader(
  _ state: UnsafeMutableRawPointer?, _: MHD_ValueKind, _ name: UnsafePointer<CChar>?,
  _ value: UnsafePointer<CChar>?
) -> MHD_Result {
  guard let state = unsafe state, let name = unsafe name else { return .NO }
  let arrival = unsafe Unmanaged<Arrival>.fromOpaque(state).takeUnretainedValue()
  let text = unsafe value.map { unsafe String(cString: $0) } ?? ""
  unsafe arrival.request.headers.append(.init(String(cString: name), text))
  return .YES
}

/// Releases a request; called by the library when one has ended, for any reason.
private func endRequest(
  _: UnsafeMutableRawPointer?, _: OpaquePointer?,
  _ state: UnsafeMutablePointer<UnsafeMutableRawPointer?>?, _: MHD_RequestTerminationCode
) {
  guard let arrival = unsafe state?.pointee else { return }
  unsafe Unmanaged<Arrival>.fromOpaque(arrival).release()
}

/// The library's codes for the end of a body, and for a connection that breaks instead.
private let (ended, broken) = (-1, -2)

private func send(_ outgoing: Outgoing, to connection: OpaquePointer?) -> MHD_Result {
  switch outgoing {
  case .answer(let answer, isCut: false):
    return unsafe send(answer.body.response, answer, to: connection)
  case .answer(let answer, isCut: true):
    var half: [UInt8]? = Array(answer.body.prefix(answer.body.count / 2))
    guard let piece = half, !piece.isEmpty else { return .NO }
    let departure = Departure(end: broken) {
      defer { half = nil }
      return half
    }
    return unsafe send(
      departure.response(of: UInt64(answer.body.count)), answer, to: connection)
  case .stream(let isCut, let pieces):
    let departure = Departure(end: isCut ? broken : ended, pieces)
    let head = HTTPAnswer(200, headers: ["content-type": "text/event-stream"])
    return unsafe send(departure.response(of: .max), head, to: connection)
  }
}

private func send(
  _ response: OpaquePointer?, _ head: HTTPAnswer, to connection: OpaquePointer?
) -> MHD_Result {
  guard let response = unsafe response else { return .NO }
  for (name, value) in head.headers { unsafe MHD_add_response_header(response, name, value) }
  defer { unsafe MHD_destroy_response(response) }
  return unsafe MHD_queue_response(connection, UInt32(head.status), response)
}

extension [UInt8] {
  /// A new response with a copy of these bytes.
  fileprivate var response: OpaquePointer? {
    var copy = self
    return unsafe copy.withUnsafeMutableBytes {
      unsafe MHD_create_response_from_buffer($0.count, $0.baseAddress, .RESPMEM_MUST_COPY)
    }
  }
}

extension Departure {
  /// Creates a response with a number of bytes that retains this object until it is sent.
  fileprivate func response(of count: UInt64) -> OpaquePointer? {
    let read: MHD_ContentReaderCallback = { departure, _, buffer, count in
      guard let departure = unsafe departure else { return broken }
      let buffer = unsafe UnsafeMutableRawBufferPointer(start: buffer, count: count)
      return unsafe Unmanaged<Departure>.fromOpaque(departure).takeUnretainedValue()
        .write(to: buffer)
    }
    let forget: MHD_ContentReaderFreeCallback = { departure in
      guard let departure = unsafe departure else { return }
      unsafe Unmanaged<Departure>.fromOpaque(departure).release()
    }
    let kept = unsafe Unmanaged.passRetained(self).toOpaque()
    return unsafe MHD_create_response_from_callback(count, 1 << 14, read, kept, forget)
  }
}
