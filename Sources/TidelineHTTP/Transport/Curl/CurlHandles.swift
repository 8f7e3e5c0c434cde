#if canImport(CCurl)
  import CCurl

  /// The libcurl side of a request.
  ///
  /// It is used on one thread. This file contains all memory that Swift does not manage: memory
  /// lent to the library lives as long as the request, which `requests` keeps while it is under
  /// way.
  @safe final class CurlRequest {
    /// The maximum size of a piece of a body, in bytes.
    private static let pieceMax = 128 << 10

    /// The receiver of the answer and source of the body.
    weak var owner: (any CurlRequestOwner)?
    fileprivate let handle: UnsafeMutableRawPointer
    private var lines: UnsafeMutablePointer<curl_slist>?

    /// Creates a request for an address, with header fields and the length of its body.
    init(
      _ method: String, _ url: String, _ headers: [HTTPRequest.Header], bodyCount: Int?
    ) {
      guard let handle = unsafe curl_easy_init() else { preconditionFailure("no memory") }
      unsafe self.handle = handle
      let context = unsafe Unmanaged.passUnretained(self).toOpaque()
      unsafe tideline_set_context(handle, context, takeLine, takePiece, givePiece)
      setUp(method, url)
      if let bodyCount { unsafe tideline_set_length(handle, curl_off_t(bodyCount)) }
      unsafe tideline_set_text(handle, CURLOPT_CUSTOMREQUEST, method)
      for header in headers {
        // libcurl omits a field without a value if it is written like the others.
        let text = header.value.isEmpty ? "\(header.name);" : "\(header.name): \(header.value)"
        unsafe lines = curl_slist_append(lines, text) ?? lines
      }
      // Long bodies are sent without asking the server first.
      unsafe lines = curl_slist_append(lines, "Expect:") ?? lines
      unsafe tideline_set_head(handle, lines)
    }

    deinit {
      unsafe curl_easy_cleanup(handle)
      unsafe curl_slist_free_all(lines)
    }

    private func setUp(_ method: String, _ url: String) {
      unsafe tideline_set_text(handle, CURLOPT_URL, url)
      unsafe tideline_set_number(handle, CURLOPT_PATH_AS_IS, 1)
      unsafe tideline_set_number(handle, CURLOPT_NOSIGNAL, 1)
      unsafe tideline_set_quick_exit(handle)
      // A proxy's answer about the connection is not the server's answer.
      unsafe tideline_set_number(handle, CURLOPT_SUPPRESS_CONNECT_HEADERS, 1)
      unsafe tideline_set_number(handle, CURLOPT_BUFFERSIZE, Self.pieceMax)
      // Accepts every supported compression.
      unsafe tideline_set_text(handle, CURLOPT_ACCEPT_ENCODING, "")
      if method == "HEAD" { unsafe tideline_set_number(handle, CURLOPT_NOBODY, 1) }
    }

    /// Makes the request open a connection of its own instead of using one again.
    func takeFreshConnection() { unsafe tideline_set_number(handle, CURLOPT_FRESH_CONNECT, 1) }

    /// Makes no later request use the connection of this one again.
    func giveUpConnection() { unsafe tideline_set_number(handle, CURLOPT_FORBID_REUSE, 1) }

    /// Makes the request use a connection that carries one request at a time.
    ///
    /// Over HTTP/2, many versions of libcurl keep others on a paused request's connection waiting,
    /// or never resume the paused one (its pull requests 11043 and 16960).
    func takeConnectionForItself() {
      unsafe tideline_set_number(handle, CURLOPT_HTTP_VERSION, Int(CURL_HTTP_VERSION_1_1))
    }

    /// Goes on after a pause, and may offer a piece of the body at once; returns whether it can.
    func goOn() -> Bool { unsafe tideline_go_on(handle) == CURLE_OK }

    /// The status of the answer, as far as it has arrived.
    var status: Int { unsafe tideline_status(handle) }

    /// Whether any of the request was sent.
    var wasSent: Bool { unsafe tideline_sent(handle) > 0 }
  }

  /// The owner of a request.
  protocol CurlRequestOwner: AnyObject {
    /// Takes a line of a head.
    func take(line: Substring)
    /// Returns whether to pause; the next piece of the body is then offered again later.
    func pausesForReader() -> Bool
    /// Takes a piece of a body; returns whether to continue.
    func take(piece: [UInt8]) -> Bool
    /// Returns the next bytes of the body: as many as fit, or all that remain.
    func nextBytes(atMost room: Int) -> ArraySlice<UInt8>
  }

  /// The requests that are under way, with their connections.
  @safe final class CurlRequests: Sendable {
    private nonisolated(unsafe) let handle: UnsafeMutableRawPointer

    /// The library's one-time initialization.
    private static let isReady = curl_global_init(Int(CURL_GLOBAL_DEFAULT)) == CURLE_OK

    /// Creates an empty set with a limit on the connections to a server.
    init(connectionsMax: Int) {
      precondition(Self.isReady, "libcurl can't be used")
      guard let handle = unsafe curl_multi_init() else { preconditionFailure("no memory") }
      unsafe self.handle = handle
      unsafe tideline_set_connections(handle, connectionsMax)
    }

    deinit { unsafe curl_multi_cleanup(handle) }

    /// Prepares the thread that uses the requests; called first on it.
    func begin() { tideline_ignore_broken_pipes() }

    /// Starts a request; the caller keeps it until it is removed.
    func add(_ request: CurlRequest) { unsafe curl_multi_add_handle(handle, request.handle) }

    /// Ends a request, whatever its state.
    func remove(_ request: CurlRequest) {
      unsafe curl_multi_remove_handle(handle, request.handle)
    }

    /// Does all that is possible without waiting.
    func perform() {
      var count: CInt = 0
      unsafe curl_multi_perform(handle, &count)
    }

    /// Returns a request that has ended since the last call, and its result.
    func nextEnded() -> (CurlRequest, CURLcode)? {
      var code = CURLE_OK
      guard let context = unsafe tideline_ended(handle, &code) else { return nil }
      return (unsafe CurlRequest.from(context), code)
    }

    /// Waits until there is work, ``wake()`` is called, or the milliseconds have passed.
    func wait(milliseconds: CInt) { unsafe curl_multi_poll(handle, nil, 0, milliseconds, nil) }

    /// Ends the current or the next wait, from any thread.
    func wake() { unsafe curl_multi_wakeup(handle) }
  }

  extension CurlRequest {
    fileprivate static func from(_ context: UnsafeMutableRawPointer) -> CurlRequest {
      unsafe Unmanaged<CurlRequest>.fromOpaque(context).takeUnretainedValue()
    }
  }

  private func takeLine(
    _ bytes: UnsafeMutablePointer<CChar>?, _ size: Int, _ count: Int,
    _ context: UnsafeMutableRawPointer?
  ) -> Int {
    guard let context = unsafe context else { return 0 }
    let line = unsafe UnsafeRawBufferPointer(start: bytes, count: size * count)
    let text = unsafe String(decoding: line, as: UTF8.self)
    unsafe CurlRequest.from(context).owner?.take(line: text.prefix { !$0.isNewline })
    return size * count
  }

  private func takePiece(
    _ bytes: UnsafeMutablePointer<CChar>?, _ size: Int, _ count: Int,
    _ context: UnsafeMutableRawPointer?
  ) -> Int {
    guard let context = unsafe context, let owner = unsafe CurlRequest.from(context).owner else {
      return 0
    }
    if owner.pausesForReader() { return tideline_pause() }
    let piece = unsafe Array(UnsafeRawBufferPointer(start: bytes, count: size * count))
    // Taking fewer bytes than offered ends the request.
    return owner.take(piece: piece) ? piece.count : 0
  }

  private func givePiece(
    _ bytes: UnsafeMutablePointer<CChar>?, _ size: Int, _ count: Int,
    _ context: UnsafeMutableRawPointer?
  ) -> Int {
    guard let context = unsafe context else { return 0 }
    let room = unsafe UnsafeMutableRawBufferPointer(start: bytes, count: size * count)
    guard let piece = unsafe CurlRequest.from(context).owner?.nextBytes(atMost: room.count) else {
      return 0
    }
    unsafe room.copyBytes(from: piece)
    return piece.count
  }
#endif
