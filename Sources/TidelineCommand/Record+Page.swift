import EventStore
import LMDB
import Tideline

extension Record {
  private static let bytesPerLine = 16

  /// The whole record for people: the contents of its header and payload, and the bytes of both.
  var page: [String] {
    var lines = [
      "record    \(number)", "kind      \(header.kind.rawValue) \(name)".trimmed,
      "version   \(header.version)", "origin    \(header.origin == .fact ? "fact" : "intent")",
      "recorded  \(header.recordedAt)",
    ]
    if let login = header.login {
      lines.append("login     account \(login.account), epoch \(login.epoch)")
    }
    if let cause = header.cause { lines.append("cause     record \(cause)") }
    if let exchange = header.exchange { lines.append("exchange  record \(exchange)") }
    if let entity = header.entity { lines.append("entity    \(entity)") }
    lines.append("chain     \(header.chain.hexadecimal)")
    let state = header.isErased ? ", erased" : ""
    lines.append(
      "payload   \(header.payloadCount) bytes\(state), "
        + "checksum \(header.payloadChecksum.hexadecimal)")
    if header.isBaseline { lines.append("          stands for records that were compacted away") }
    if EventCatalog.name(of: header.kind) != nil { lines.append(EventCatalog.line(of: self)) }
    let naming = { EventCatalog.name(of: $0, in: header.kind) }
    if let fields = try? PayloadFields(decoding: payload.raw) {
      lines.append(fields.json(naming: naming))
    }
    return lines + bytes(header.bytes, "header") + bytes(payload, "payload")
  }

  private var name: String { EventCatalog.name(of: header.kind) ?? "" }

  private func bytes(_ bytes: [UInt8], _ title: String) -> [String] {
    guard !bytes.isEmpty else { return [] }
    return ["\(title):"]
      + stride(from: 0, to: bytes.count, by: Self.bytesPerLine).map { start in
        let part = bytes[start..<min(start + Self.bytesPerLine, bytes.count)]
        let digits = part.map(\.hexadecimal)
        let shown = part.map { 0x20..<0x7F ~= $0 ? String(Unicode.Scalar($0)) : "." }
        let offset = String(start, radix: 16).leftPadded(to: 6)
        return "\(offset)  \(digits.joined(separator: " ").rightPadded(to: 48)) \(shown.joined())"
      }
  }
}

extension RecordHeader {
  /// The bytes of the header.
  fileprivate var bytes: [UInt8] {
    var bytes = [UInt8](repeating: 0, count: byteCount)
    bytes.withMutableBytes { write(to: &$0, at: 0) }
    return bytes
  }
}

extension String {
  /// The text without trailing spaces.
  fileprivate var trimmed: String {
    String(reversed().drop { $0 == " " }.reversed())
  }
}
