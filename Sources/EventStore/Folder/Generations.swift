package import LMDB

/// The generations in a views folder, each in a subfolder named by its number.
package struct Generations: Sendable, Hashable {
  /// The views folder.
  package let folder: Folder

  /// Creates a value for the generations in a folder.
  package init(in folder: Folder) { self.folder = folder }

  /// Returns the folder of a generation.
  package func folder(of number: UInt64) -> Folder { folder.folder(String(number)) }

  /// Returns the numbers of the existing generations, complete or not, in ascending order.
  package func numbers() throws(LMDBError) -> [UInt64] {
    try folder.names().compactMap { name in
      UInt64(name).flatMap { String($0) == name && $0 > 0 ? $0 : nil }
    }.sorted()
  }

  /// Creates a new generation, numbered after all existing ones and all known `others`, for the
  /// holder of the lease to fill.
  package func make(after others: [UInt64], _ lease: Lease) throws(LMDBError) -> Generation {
    try lease.require(folder)
    let number = (try numbers() + others).max().map { $0 &+ 1 } ?? 1
    let folder = folder(of: number)
    try folder.create()
    guard let made = try use(number) else { throw LMDBError(.missing, "use \(folder.path)") }
    return made
  }

  /// Starts to use a generation; returns `nil` if it does not exist or is being removed.
  package func use(_ number: UInt64) throws(LMDBError) -> Generation? {
    let folder = folder(of: number)
    guard self.folder.contains(String(number)) else { return nil }
    do throws(LMDBError) {
      let file = try File(folder.path(of: Generation.useFile), .open)
      guard try file.tryLock(shared: true) else { return nil }
      // The file may have been removed between opening and locking.
      guard try folder.identity(of: Generation.useFile) == file.identity() else { return nil }
      return Generation(number, in: folder, use: file)
    } catch {
      guard error.code == .missing else { throw error }
      return nil
    }
  }

  /// Removes all generations except one and those in use, also by this process; returns their
  /// numbers.
  ///
  /// Generations that cannot be removed stay until the next call.
  @discardableResult
  func removeStale(
    keeping current: UInt64?, _ lease: Lease
  ) throws(LMDBError) -> [UInt64] {
    try lease.require(folder)
    return try numbers().filter { $0 != current && remove($0) }
  }

  private func remove(_ number: UInt64) -> Bool {
    let folder = folder(of: number)
    guard let file = try? File(folder.path(of: Generation.useFile), .open),
      (try? file.tryLock()) == true
    else { return false }
    return (try? folder.removeWithFiles()) != nil
  }
}

extension Lease {
  /// Throws unless this is the current lease of a folder.
  func require(_ folder: Folder) throws(LMDBError) {
    guard try stands(in: folder) else {
      throw LMDBError(.missing, "write in \(folder.path) without its lease")
    }
  }
}
