import LMDB

/// Writes the lines of an exported log in order.
struct ExportWriter {
  /// The lines written but not yet taken.
  private(set) var bytes: [UInt8] = []

  private static let numberStart = Array("{\"number\":".utf8)
  private static let kind = Array(",\"kind\":".utf8)
  private static let version = Array(",\"version\":".utf8)
  private static let intent = Array(",\"origin\":\"intent\"".utf8)
  private static let recordedAt = Array(",\"at\":".utf8)
  private static let login = Array(",\"login\":[".utf8)
  private static let cause = Array(",\"cause\":".utf8)
  private static let exchange = Array(",\"exchange\":".utf8)
  private static let entity = Array(",\"entity\":\"".utf8)
  private static let baseline = Array(",\"baseline\":true".utf8)
  private static let erased = Array(",\"erased\":[".utf8)
  private static let chain = Array(",\"chain\":\"".utf8)
  private static let payload = Array("\",\"payload\":".utf8)

  /// Returns the bytes written so far and clears them.
  mutating func take() -> [UInt8] {
    defer { bytes = [] }
    return bytes
  }

  /// Writes the first line.
  mutating func write(_ head: ExportHead) {
    typealias Name = ExportFormat.Name
    let text = JSONWriter.object { json in
      json.member(Name.tideline, ExportFormat.magic)
      json.member(Name.version, ExportFormat.version)
      json.member(Name.store, head.id.bytes.hexadecimal)
      json.member(Name.secret, head.secret.bytes.hexadecimal)
      json.member(Name.generation, head.generation)
      json.member(Name.erasures, head.erasures)
      json.member(Name.floor, head.floor.rawValue)
      json.member(Name.chain, head.chain.hexadecimal)
      json.member(Name.baseline, head.hasBaseline)
      json.member(Name.isRedacted, head.isRedacted)
    }
    bytes.append(contentsOf: text.utf8)
    bytes.append(UInt8(ascii: "\n"))
  }

  /// Writes the last line.
  mutating func write(_ manifest: ExportManifest) {
    typealias Name = ExportFormat.Name
    let text = JSONWriter.object { json in
      json.member(Name.manifest) { json in
        json.object { json in
          json.member(Name.records, manifest.records)
          json.member(Name.last, manifest.last.rawValue)
          json.member(Name.lost, manifest.lost)
          json.member(Name.payloadBytes, manifest.payloadBytes)
          json.member(Name.chain, manifest.chain.hexadecimal)
          json.member(Name.checksum, manifest.checksum.hexadecimal)
        }
      }
    }
    bytes.append(contentsOf: text.utf8)
    bytes.append(UInt8(ascii: "\n"))
  }

  /// Writes the line of a record.
  mutating func write(_ number: RecordNumber, _ header: RecordHeader, payload: RawSpan) {
    bytes.append(contentsOf: Self.numberStart)
    bytes.append(decimal: number.rawValue)
    bytes.append(contentsOf: Self.kind)
    bytes.append(decimal: UInt64(header.kind.rawValue))
    bytes.append(contentsOf: Self.version)
    bytes.append(decimal: UInt64(header.version))
    if header.origin == .intent { bytes.append(contentsOf: Self.intent) }
    bytes.append(contentsOf: Self.recordedAt)
    bytes.append(decimal: header.recordedAt.rawValue)
    writeOptional(header)
    bytes.append(contentsOf: Self.chain)
    bytes.append(hex: UInt64(header.chain), digits: 8)
    bytes.append(contentsOf: Self.payload)
    if header.isErased {
      bytes.append(contentsOf: "null".utf8)
    } else {
      bytes.append(exported: payload)
    }
    bytes.append(UInt8(ascii: "}"))
    bytes.append(UInt8(ascii: "\n"))
  }

  private mutating func writeOptional(_ header: RecordHeader) {
    if let login = header.login {
      bytes.append(contentsOf: Self.login)
      bytes.append(decimal: UInt64(login.account))
      bytes.append(UInt8(ascii: ","))
      bytes.append(decimal: UInt64(login.epoch))
      bytes.append(UInt8(ascii: "]"))
    }
    if let cause = header.cause {
      bytes.append(contentsOf: Self.cause)
      bytes.append(decimal: cause.rawValue)
    }
    if let exchange = header.exchange {
      bytes.append(contentsOf: Self.exchange)
      bytes.append(decimal: exchange.rawValue)
    }
    if let entity = header.entity {
      bytes.append(contentsOf: Self.entity)
      bytes.append(hex: entity.rawValue, digits: 16)
      bytes.append(UInt8(ascii: "\""))
    }
    if header.isBaseline { bytes.append(contentsOf: Self.baseline) }
    guard header.isErased else { return }
    bytes.append(contentsOf: Self.erased)
    bytes.append(decimal: UInt64(header.payloadCount))
    bytes.append(contentsOf: ",\"".utf8)
    bytes.append(hex: UInt64(header.payloadChecksum), digits: 8)
    bytes.append(contentsOf: "\"]".utf8)
  }
}
