import Foundation
import Synchronization

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// A local server that answers each path in its own way, one request per connection.
final class TinyServer: Sendable {
  struct NoSocket: Error {}

  let port: UInt16
  private let listener: CInt
  private let seen = Mutex<[String]>([])
  private let open = Mutex(0)
  private let pace = Mutex(Pace())
  private let hasEnded = Atomic(false)

  /// The time of the last write, and the longest pause between writes.
  private struct Pace {
    var last = ContinuousClock.now
    var longest = Duration.zero
    var isOver = false
  }

  /// The requests received, in order.
  var requests: [String] { seen.withLock { $0 } }

  /// Whether no connection is open.
  var isIdle: Bool { open.withLock { $0 == 0 } }

  /// The longest pause in its answer, for a server that answers a single request: longer than the
  /// pause it was told to make if it got no processor.
  var longestGap: Duration {
    pace.withLock { $0.isOver ? $0.longest : max($0.longest, .now - $0.last) }
  }

  /// Starts a server with these answers, or `unchanged` for a request with `If-None-Match`.
  init(_ answers: [String: Answer], unlessIs unchanged: String? = nil, port: UInt16 = 0) throws {
    #if canImport(Darwin)
      let stream = SOCK_STREAM
    #else
      let stream = CInt(SOCK_STREAM.rawValue)
    #endif
    // A client may close before all is sent.
    signal(SIGPIPE, SIG_IGN)
    listener = socket(AF_INET, stream, 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let descriptor = listener
    let isBound = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
        bind(descriptor, pointer, length) == 0 && listen(descriptor, 16) == 0
          && getsockname(descriptor, pointer, &length) == 0
      }
    }
    guard isBound else { throw NoSocket() }
    self.port = UInt16(bigEndian: address.sin_port)
    Thread.detachNewThread { [self] in accept(answers, unchanged) }
  }

  /// The way in which the server answers a request.
  enum Answer: Sendable {
    /// Sends these bytes, then closes.
    case bytes(String)
    /// Sends these pieces, pausing before each but the first, then closes, or waits until the
    /// client does.
    case pieces([[UInt8]], every: Duration = .zero, closes: Bool = true)
    /// Waits until the client closes.
    case silence
  }

  /// Stops the server.
  ///
  /// The accepting thread closes the descriptor, as its number may be reused from then on. Where
  /// shutting the listener down doesn't wake that thread, closing it here does.
  func close() {
    guard !hasEnded.exchange(true, ordering: .relaxed) else { return }
    shutdown(listener, CInt(SHUT_RDWR))
    #if canImport(Darwin)
      _ = Darwin.close(listener)
    #endif
  }

  private func accept(_ answers: [String: Answer], _ unchanged: String?) {
    while !hasEnded.load(ordering: .relaxed) {
      #if canImport(Darwin)
        let connection = Darwin.accept(listener, nil, nil)
      #elseif canImport(Musl)
        let connection = Musl.accept(listener, nil, nil)
      #else
        let connection = Glibc.accept(listener, nil, nil)
      #endif
      guard connection >= 0 else { continue }
      Thread.detachNewThread { [self] in serve(connection, answers, unchanged) }
    }
    #if canImport(Musl)
      _ = Musl.close(listener)
    #elseif !canImport(Darwin)
      _ = Glibc.close(listener)
    #endif
  }

  private func serve(
    _ connection: CInt, _ answers: [String: Answer], _ unchanged: String?
  ) {
    let handle = FileHandle(fileDescriptor: connection, closeOnDealloc: true)
    open.withLock { $0 += 1 }
    defer { open.withLock { $0 -= 1 } }
    let request = Self.request(handle)
    seen.withLock { $0.append(request) }
    let path = request.split(separator: " ").dropFirst().first.map(String.init) ?? ""
    let isKnown = request.lowercased().contains("if-none-match:")
    switch (isKnown ? unchanged.map { .bytes($0) } : nil) ?? answers[path]
      ?? .bytes("HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n")
    {
    case .bytes(let text): try? handle.write(contentsOf: Data(text.utf8))
    case .pieces(let pieces, let pause, let closes):
      send(pieces, every: pause, to: handle)
      if !closes {
        note(isLast: true) {}
        _ = try? handle.read(upToCount: 1)
      }
    case .silence: _ = try? handle.read(upToCount: 1)
    }
    note(isLast: true) { try? handle.close() }
  }

  /// Performs an action visible to the client, and records the pause before it.
  private func note(isLast: Bool = false, _ act: () -> Void) {
    let before = ContinuousClock.now
    act()
    pace.withLock { pace in
      guard !pace.isOver else { return }
      pace.longest = max(pace.longest, .now - pace.last)
      (pace.last, pace.isOver) = (before, isLast)
    }
  }

  private func send(_ pieces: [[UInt8]], every pause: Duration, to handle: FileHandle) {
    for (index, piece) in pieces.enumerated() {
      if index > 0 { Thread.sleep(forTimeInterval: pause / .seconds(1)) }
      var isOpen = true
      note { isOpen = (try? handle.write(contentsOf: Data(piece))) != nil }
      guard isOpen else { return }
    }
  }

  /// Reads a head, and its body if the head declares one.
  private static func request(_ handle: FileHandle) -> String {
    var text = ""
    while !text.contains("\r\n\r\n"), let piece = try? handle.read(upToCount: 1), !piece.isEmpty {
      text += String(decoding: piece, as: UTF8.self)
    }
    let length = text.lowercased().firstMatch(of: /content-length: (\d+)/).flatMap { Int($0.1) }
    let body = length.flatMap { $0 > 0 ? try? handle.read(upToCount: $0) : nil }
    return text + String(decoding: body ?? Data(), as: UTF8.self)
  }
}
