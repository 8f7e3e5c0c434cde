import LMDB

/// Whom the events that are written to a spool concern.
public enum Recipient: Hashable, Sendable {
  /// Nobody has said.
  case unknown
  /// Nobody is logged in.
  case nobody
  /// Who is logged in, by which login.
  case login(Login)
}

extension Recipient {
  private static let magic = Array("tiderec1".utf8)
  private static let loginBytes = 8
  private static let checksumBytes = 4

  /// The bytes that a file may have.
  static let bytesMax = magic.count + loginBytes + checksumBytes

  /// The bytes of a file, or `nil` where there is to be none.
  var bytes: [UInt8]? {
    var bytes = Self.magic
    switch self {
    case .unknown: return nil
    case .nobody: break
    case .login(let login):
      bytes.append(littleEndian: login.account)
      bytes.append(littleEndian: login.epoch)
    }
    bytes.append(littleEndian: Checksum.of(bytes.raw))
    return bytes
  }

  /// Reads the bytes again; what is anything else says nothing.
  init(_ bytes: RawSpan) {
    self = .unknown
    let end = bytes.byteCount - Self.checksumBytes
    let loginCount = end - Self.magic.count
    guard loginCount == 0 || loginCount == Self.loginBytes,
      Checksum.of(bytes.extracting(first: end)) == bytes.integer(UInt32.self, at: end),
      bytes.extracting(first: Self.magic.count).array == Self.magic
    else { return }
    self = loginCount == 0 ? .nobody : .login(Login(bytes, at: Self.magic.count))
  }
}

extension Login {
  fileprivate init(_ bytes: RawSpan, at offset: Int) {
    self.init(
      account: bytes.integer(UInt32.self, at: offset),
      epoch: bytes.integer(UInt32.self, at: offset + 4))
  }
}
