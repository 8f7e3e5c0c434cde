import EventStore
import Synchronization

/// Where keys and temporary ids come from.
final class Randomness: Sendable {
  private let generator: Mutex<any RandomNumberGenerator & Sendable>

  init(_ generator: any RandomNumberGenerator & Sendable) { self.generator = Mutex(generator) }

  /// A key by which a server knows a request that it gets twice.
  func key() -> OperationKey { draw { OperationKey(using: &$0) } }

  /// An id for what no server has named yet.
  func temporaryID() -> String {
    let words = draw { random in (0..<2).map { _ in random.next() as UInt64 } }
    return TemporaryID.prefix + words.map(\.hexadecimal).joined()
  }

  private func draw<R: Sendable>(_ body: (inout AnyGenerator) -> R) -> R {
    generator.withLock { generator in
      var any = AnyGenerator(generator)
      defer { generator = any.generator }
      return body(&any)
    }
  }

  /// A generator whose type is not known.
  private struct AnyGenerator: RandomNumberGenerator {
    var generator: any RandomNumberGenerator & Sendable
    init(_ generator: any RandomNumberGenerator & Sendable) { self.generator = generator }
    mutating func next() -> UInt64 { generator.next() }
  }
}
