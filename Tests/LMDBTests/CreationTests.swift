import LMDB
import TestSupport
import Testing

@Suite struct CreationTests {
  @Test func leftover_ofAProcessThatDied_isReplaced() throws {
    let folder = try TemporaryFolder()
    let leftover = Folder(folder.path).path(of: Environment.newFile)
    try File(leftover, .create).write([UInt8](repeating: 7, count: 5000))
    let environment = try Environment(at: folder.path)
    // The transaction that made the file.
    #expect(try environment.information.lastTransaction == 1)
    #expect(try Folder(folder.path).names() == ["data.mdb", "lock.mdb"])
  }

  @Test func creation_byManyAtOnce_givesOneFile() async throws {
    let folder = try TemporaryFolder()
    let inodes = try await withThrowingTaskGroup { group in
      for _ in 0..<8 {
        group.addTask { [path = folder.path] in
          try Environment.createFile(in: path)
          return try File(Folder(path).path(of: Environment.dataFile), .read).identity()
        }
      }
      return try await group.reduce(into: Set<File.Identity>()) { $0.insert($1) }
    }
    #expect(inodes.count == 1)
    #expect(try Folder(folder.path).names() == ["data.mdb"])
  }
}
