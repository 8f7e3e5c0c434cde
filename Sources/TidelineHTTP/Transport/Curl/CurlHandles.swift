#if canImport(CCurl)
  import CCurl

  /// What libcurl is told of a request, and what it tells.
  ///
  /// It is used on one thread, and this file has all memory that is not the language's: what the
  /// library is lent lives as long as the request, which `requests` keeps while it is under way.
  @safe final class CurlRequest {
    /// How many bytes a piece of a body has at most.
    private static let pieceMax = 128 << 10

    /// Takes what comes, and gives what goes.
    weak var owner: (any CurlRequestOwner)?
    fileprivate let handle: UnsafeMutableRawPointer
    private var lines: UnsafeMutablePointer<curl_slist>?

    /// A request for an address, with fields of its head, and as many bytes as its body is to have.
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
        // A field without a value would be left out if it were written as others are.
        let text = header.value.isEmpty ? "\(header.name);" : "\(header.name): \(header.value)"
        unsafe lines = curl_slist_append(lines, text) ?? lines
      }
      // A server is not asked first whether it wants a long body.
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
      // What a proxy says of the way there is no answer.
      unsafe tideline_set_number(handle, CURLOPT_SUPPRESS_CONNECT_HEADERS, 1)
      unsafe tideline_set_number(handle, CURLOPT_BUFFERSIZE, Self.pieceMax)
      // Whatever packings there are.
      unsafe tideline_set_text(handle, CURLOPT_ACCEPT_ENCODING, "")
      if method == "HEAD" { unsafe tideline_set_number(handle, CURLOPT_NOBODY, 1) }
    }

    /// The status of the answer, as far as one has come.
    var status: Int { unsafe tideline_status(handle) }

    /// Whether some of it was sent.
    var wasSent: Bool { unsafe tideline_sent(handle) > 0 }
  }

  /// Whoever a request is of.
  protocol CurlRequestOwner: AnyObject {
    /// Takes a line of a head.
    func take(line: Substring)
    /// Takes a piece of a body; returns whether more is wanted.
    func take(piece: [UInt8]) -> Bool
    /// The next bytes of the body, as many as there is room for or all that are left.
    func nextBytes(atMost room: Int) -> ArraySlice<UInt8>
  }

  /// The requests that are under way, with the connections between them.
  @safe final class CurlRequests: Sendable {
    private nonisolated(unsafe) let handle: UnsafeMutableRawPointer

    /// What the library needs once.
    private static let isReady = curl_global_init(Int(CURL_GLOBAL_DEFAULT)) == CURLE_OK

    /// None, with as many connections to a server at most.
    init(connectionsMax: Int) {
      precondition(Self.isReady, "libcurl can't be used")
      guard let handle = unsafe curl_multi_init() else { preconditionFailure("no memory") }
      unsafe self.handle = handle
      unsafe tideline_set_connections(handle, connectionsMax)
    }

    deinit { unsafe curl_multi_cleanup(handle) }

    /// To be called first on the thread that does what follows.
    func begin() { tideline_ignore_broken_pipes() }

    /// Begins a request; whoever does keeps it until it is removed.
    func add(_ request: CurlRequest) { unsafe curl_multi_add_handle(handle, request.handle) }

    /// Ends a request, whatever has come of it.
    func remove(_ request: CurlRequest) {
      unsafe curl_multi_remove_handle(handle, request.handle)
    }

    /// Does what can be done without waiting.
    func perform() {
      var count: CInt = 0
      unsafe curl_multi_perform(handle, &count)
    }

    /// A request that has ended since this was asked last, and what became of it.
    func nextEnded() -> (CurlRequest, CURLcode)? {
      var code = CURLE_OK
      guard let context = unsafe tideline_ended(handle, &code) else { return nil }
      return (unsafe CurlRequest.from(context), code)
    }

    /// Waits until something can be done, ``wake()`` is called, or so many milliseconds are over.
    func wait(milliseconds: CInt) { unsafe curl_multi_poll(handle, nil, 0, milliseconds, nil) }

    /// Ends a wait, or the next one: from any thread.
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
    guard let context = unsafe context else { return 0 }
    let piece = unsafe Array(UnsafeRawBufferPointer(start: bytes, count: size * count))
    // To take fewer than there are ends the request.
    return unsafe CurlRequest.from(context).owner?.take(piece: piece) == true ? piece.count : 0
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
