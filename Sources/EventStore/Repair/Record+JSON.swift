import LMDB

extension Record {
  /// The record as JSON text, for people and tools.
  ///
  /// An object of its number, kind, version and origin, the time as in RFC 3339, whatever else its
  /// header holds, and the payload as ``PayloadFields/json(naming:)`` writes it: `null` where it
  /// was erased, and the object `{"base64": …}` where it can't be decoded.
  ///
  /// - Parameter naming: The name of a field, by the numbers of the fields on the way to it.
  public func json(naming: (_ path: [Int]) -> String? = { _ in nil }) -> String {
    JSONWriter.text { json in
      json.object { json in
        json.name("number")
        json.number(number.rawValue)
        json.header(header)
        json.name("payload")
        json.payload(of: self, naming)
      }
    }
  }
}

extension JSONWriter {
  fileprivate mutating func header(_ header: RecordHeader) {
    name("kind")
    number(header.kind.rawValue)
    name("version")
    number(header.version)
    name("origin")
    string(header.origin == .fact ? "fact" : "intent")
    name("recordedAt")
    string(header.recordedAt.description)
    if let login = header.login { member(login) }
    member("cause", header.cause)
    member("exchange", header.exchange)
    if let entity = header.entity {
      name("entity")
      string(entity.description)
    }
    flags(of: header)
  }

  private mutating func member(_ label: String, _ reference: RecordNumber?) {
    guard let reference else { return }
    name(label)
    number(reference.rawValue)
  }

  private mutating func member(_ login: Login) {
    name("login")
    object { json in
      json.name("account")
      json.number(login.account)
      json.name("epoch")
      json.number(login.epoch)
    }
  }

  private mutating func flags(of header: RecordHeader) {
    let flags = (header.isErased ? ["erased"] : []) + (header.isBaseline ? ["baseline"] : [])
    guard !flags.isEmpty else { return }
    name("flags")
    array { json in flags.forEach { json.string($0) } }
  }

  fileprivate mutating func payload(
    of record: Record, _ naming: (_ path: [Int]) -> String?
  ) {
    guard !record.header.isErased else { return null() }
    if let fields = try? PayloadFields(decoding: record.payload.raw) {
      return self.fields(fields, naming: naming)
    }
    object { json in
      json.name("base64")
      json.string(Base64.text(of: record.payload))
    }
  }
}

extension Fingerprint: CustomStringConvertible {
  /// The hash as 16 hexadecimal digits.
  public var description: String {
    let digits = String(rawValue, radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }
}
