import LMDB

/// The recipient of the events that are written to a spool.
public enum Recipient: Hashable, Sendable {
  /// No recipient was set.
  case unknown
  /// No account is logged in.
  case nobody
  /// The login that is active.
  case login(Login)
}

extension Recipient {
  private static let magic = Array("tiderec1".utf8)
  private static let loginBytes = 8
  private static let checksumBytes = 4

  /// The maximum size of the file, in bytes.
  static let bytesMax = magic.count + loginBytes + checksumBytes

  /// The contents of the file, or `nil` if there must be no file.
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

  /// Decodes the bytes; anything invalid decodes as `unknown`.
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
