/// What was found of some hashes in the runs of a ``NameIndex``, ahead of being asked for.
///
/// A hash that is in no run comes into one when the tail becomes a run; then all is forgotten.
/// Otherwise pairs only move from run to run, so what was found stays true. One find gives way to
/// another whose hash ends alike.
struct NameFinds {
  private var finds: [Find] = []
  /// Finds with another number are forgotten.
  private var age: UInt32 = 1

  private struct Find {
    var hash: UInt64 = 0
    /// The row's number, or ``NameIndex/noRow``.
    var row: UInt32 = 0
    var age: UInt32 = 0
  }

  /// How many finds there is room for.
  private static let room = 1024

  @inline(__always)
  private static func place(of hash: UInt64) -> Int { Int(truncatingIfNeeded: hash) & (room - 1) }

  /// The first row of a hash, or ``NameIndex/noRow`` where no run has it; `nil` where that is not
  /// known.
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

  /// Forgets all of them.
  mutating func removeAll() {
    age &+= 1
    if age == 0 { self = NameFinds() }
  }
}
