import LMDB

extension Record {
  /// Returns the record as JSON text, for people and tools.
  ///
  /// The object holds the record's number, kind, version, and origin, its time as in RFC 3339, the
  /// rest of its header, and its payload as written by ``PayloadFields/json(naming:)``. The payload
  /// is `null` if it was erased, and the object `{"base64": …}` if it can't be decoded.
  ///
  /// - Parameter naming: Returns the name of a field, given the numbers of the fields on the path
  ///   to it.
  public func json(naming: (_ path: [Int]) -> String? = { _ in nil }) -> String {
    JSONWriter.object { json in
      json.member("number", number.rawValue)
      json.header(header)
      json.member("payload") { $0.payload(of: self, naming) }
    }
  }
}

extension JSONWriter {
  fileprivate mutating func header(_ header: RecordHeader) {
    member("kind", header.kind.rawValue)
    member("version", header.version)
    member("origin", header.origin == .fact ? "fact" : "intent")
    member("recordedAt", header.recordedAt.description)
    if let login = header.login {
      member("login") { json in
        json.object { json in
          json.member("account", login.account)
          json.member("epoch", login.epoch)
        }
      }
    }
    if let cause = header.cause { member("cause", cause.rawValue) }
    if let exchange = header.exchange { member("exchange", exchange.rawValue) }
    if let entity = header.entity { member("entity", entity.description) }
    let flags = (header.isErased ? ["erased"] : []) + (header.isBaseline ? ["baseline"] : [])
    if !flags.isEmpty { member("flags", flags) }
  }

  fileprivate mutating func payload(
    of record: Record, _ naming: (_ path: [Int]) -> String?
  ) {
    guard !record.header.isErased else { return null() }
    if let fields = try? PayloadFields(decoding: record.payload.raw) {
      return self.fields(fields, naming: naming)
    }
    object { json in
      json.member("base64", Base64.text(of: record.payload))
    }
  }
}

extension Fingerprint: CustomStringConvertible {
  /// The hash as 16 hexadecimal digits.
  public var description: String { rawValue.hexadecimal }
}
