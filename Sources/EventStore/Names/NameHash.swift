import LMDB

/// The hash of an external id in a ``NameIndex``: 64 bits that nobody can steer without knowing the
/// store's secret.
package enum NameHash {
  /// Returns the hash of an id within a collection.
  @inline(__always)
  package static func of(_ id: RawSpan, in collection: UInt8, seed: UInt64) -> UInt64 {
    var mixer = Mixer(seed: seed)
    mixer.add(UInt64(collection))
    mixer.add(id)
    return mixer.value
  }
}

extension UInt64 {
  /// Returns which of `count` even parts of the range of all hashes this one lies in.
  @inline(__always)
  func part(of count: Int) -> Int { Int(multipliedFullWidth(by: UInt64(count)).high) }
}
