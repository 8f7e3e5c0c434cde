import Testing

@Suite struct RepositoryTests {
  /// Without this test, checks of an empty list of files would pass as well.
  @Test func files_areThoseOnDisk() throws {
    let repository = try Repository.current.get()
    let paths = Set(repository.files.map(\.path))
    #expect(
      paths.isSuperset(of: [
        ".ci/run", ".swift-format", "Package.swift", "README.md", "Scripts/test",
        "Sources/CLMDB/shim.h", "Sources/LMDB/LMDBError.swift",
        "Tests/RepositoryTests/RepositoryTests.swift",
      ]))
    #expect(!paths.contains { $0.hasPrefix(".build") || $0.hasPrefix(".git/") })
    #expect(repository.sources.contains { $0.path == "Sources/LMDB/LMDBError.swift" })
    #expect(repository.files.filter(\.isScript).count >= 5)
  }

  @Test func file_knowsItsPlace() {
    let file = SourceFile("Sources/LMDB/Platform/File.swift", "a\nb\n")
    #expect(file.module == "LMDB")
    #expect(file.folder == "Sources")
    #expect(file.lineCount == 2)
    #expect(SourceFile("Sources/A.swift", "").module == nil)
    #expect(SourceFile("README.md", "a\nb").lineCount == 2)
    #expect(SourceFile("README.md", "a").folder == "README.md")
  }
}
