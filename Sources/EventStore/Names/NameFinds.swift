/// The results of looking up some hashes in the runs of a ``NameIndex`` ahead of time.
///
/// A hash that no run has can enter one when the tail becomes a run; then all results are dropped.
/// Otherwise pairs only move from run to run, so results stay valid. A result is replaced by
/// another whose hash ends in the same bits.
struct NameFinds {
  private var finds: [Find] = []
  /// The current age; finds with another are void.
  private var age: UInt32 = 1

  private struct Find {
    var hash: UInt64 = 0
    /// The row's number, or ``NameIndex/noRow``.
    var row: UInt32 = 0
    var age: UInt32 = 0
  }

  /// The number of finds that fit.
  private static let room = 1024

  @inline(__always)
  private static func place(of hash: UInt64) -> Int { Int(truncatingIfNeeded: hash) & (room - 1) }

  /// Returns the first row of a hash, ``NameIndex/noRow`` if no run has it, or `nil` if that is
  /// unknown.
  @inline(__always)
  func row(of hash: UInt64) -> UInt32? {
    guard !finds.isEmpty else { return nil }
    let find = finds[Self.place(of: hash)]
    return find.hash == hash && find.age == age ? find.row : nil
  }

  /// Notes the first row of a hash, or that no run has it.
  @inline(__always)
  mutating func note(_ row: UInt32, of hash: UInt64) {
    if finds.isEmpty { finds = [Find](repeating: Find(), count: Self.room) }
    finds[Self.place(of: hash)] = Find(hash: hash, row: row, age: age)
  }

  /// Discards all finds.
  mutating func removeAll() {
    age &+= 1
    if age == 0 { self = NameFinds() }
  }
}
