import LMDB

/// A scan of everything committed of the views for values that changed since they were written.
///
/// Pages are checked first, and without liblmdb, which would run into any damage.
struct ViewsScan {
  let file: ViewsFile
  let definitions: Definitions
  /// A reader that pins the state being scanned, so that its pages stay unchanged.
  let reader: KeptReader
  /// Called now and then; throws if the scan is not wanted any more.
  let check: () throws -> Void

  /// Adds the findings; returns whether liblmdb may read the file.
  func run(_ log: Log, _ verification: inout Verification) throws -> Bool {
    try checkPages(&verification)
    guard verification.isSound else { return false }
    try checkValues(&verification)
    guard verification.isSound else { return true }
    do {
      let workspace = try Workspace(
        definitions, of: log.store, from: log.beginning, over: ViewsBase(file, reader))
      workspace.forEachFault { verification.add(.contradiction("\($0)")) }
    } catch {
      verification.add(.contradiction("\(error)"))
    }
    return true
  }

  private func checkPages(_ verification: inout Verification) throws {
    try check()
    let path = Folder(file.environment.path).path(of: Environment.dataFile)
    let report: FileReport
    do throws(LMDBError) {
      report = try PageFile.look(at: path, isSound: \.isSound) { () throws(LMDBError) in
        FileReport.check(try PageFile(path)) { _ in }
      }
    } catch {
      guard error.code == .corrupted || error.code == .invalid || error.code == .truncated
      else { throw error }
      return verification.add(.contradiction("\(error)"))
    }
    for problem in report.problems { verification.add(.page(problem)) }
  }

  private func checkValues(_ verification: inout Verification) throws {
    let others = [file.names, file.nodes, file.journal, file.refused, file.marks.table]
    for table in others + file.rows {
      try check()
      try reader.read { loan throws(LMDBError) in
        var cursor = try loan.cursor(over: table)
        while try cursor.next() {
          let key = cursor.key.nativeInteger
          guard !Self.isSound(cursor.value, key) else { continue }
          verification.add(.value(table: table.name ?? "", key: key))
        }
      }
    }
  }

  /// Whether a value begins with the checksum of its key and the rest, as all in these tables must.
  private static func isSound(_ bytes: RawSpan, _ key: UInt64) -> Bool {
    bytes.byteCount >= 4
      && bytes.integer(UInt32.self, at: 0)
        == Checksum.of(key, bytes.extracting(droppingFirst: 4))
  }
}
