import EventStore
import Synchronization

/// The source of keys and temporary ids.
final class Randomness: Sendable {
  private let generator: Mutex<any RandomNumberGenerator & Sendable>
  private let next = Mutex<OperationKey?>(nil)

  init(_ generator: any RandomNumberGenerator & Sendable) { self.generator = Mutex(generator) }

  /// Returns a key by which a server recognizes a repeated request.
  func key() -> OperationKey { next.withLock { $0.take() } ?? draw { OperationKey(using: &$0) } }

  /// Draws the next key, once an action is shown, so that the next action needn't wait for it: the
  /// system's generator takes a system call for each half.
  func prepareKey() {
    next.withLock { next in
      if next == nil { next = draw { OperationKey(using: &$0) } }
    }
  }

  /// Returns an id for an object without a server's id.
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

  /// A type-erased generator.
  private struct AnyGenerator: RandomNumberGenerator {
    var generator: any RandomNumberGenerator & Sendable
    init(_ generator: any RandomNumberGenerator & Sendable) { self.generator = generator }
    mutating func next() -> UInt64 { generator.next() }
  }
}
