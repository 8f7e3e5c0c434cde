import Testing

/// The calls for which Apple wants a reason, in the modules that apps contain.
enum RequiredReasons {
  private static let modules: Set = [
    "CLMDB", "CPlatform", "LMDB", "EventStore", "Tideline", "TidelineSync", "TidelineHTTP",
    "TidelineReplay",
  ]
  /// The calls of each category, as far as a program on any system could contain them.
  private static let calls: [String: Set<String>] = [
    "FileTimestamp": [
      "creationDate", "modificationDate", "fileModificationDate", "creationDateKey",
      "contentModificationDateKey", "getattrlist", "getattrlistbulk", "fgetattrlist", "stat",
      "fstat", "fstatat", "lstat", "getattrlistat",
    ],
    "SystemBootTime": ["systemUptime", "mach_absolute_time"],
    "DiskSpace": [
      "volumeAvailableCapacityKey", "volumeAvailableCapacityForImportantUsageKey",
      "volumeAvailableCapacityForOpportunisticUsageKey", "volumeTotalCapacityKey",
      "systemFreeSize", "systemSize", "statfs", "statvfs", "fstatfs", "fstatvfs",
    ],
    "ActiveKeyboards": ["activeInputModes"],
    "UserDefaults": ["UserDefaults", "NSUserDefaults", "CFPreferencesCopyAppValue"],
  ]

  /// Returns the categories of the calls that files contain.
  static func categories(in files: [SourceFile]) -> Set<String> {
    let own = files.filter { modules.contains($0.module ?? "") }
    let words = Set(own.flatMap(\.code).filter { $0.kind == .word }.map(\.text))
    return Set(calls.filter { !$0.value.isDisjoint(with: words) }.keys)
  }

  /// Returns the categories that a manifest declares.
  static func categories(declaredIn manifest: SourceFile) -> Set<String> {
    let (begin, end) = ("<string>NSPrivacyAccessedAPICategory", "</string>")
    let lines = manifest.lines.map { $0.drop { $0 == " " } }
    return Set(
      lines.filter { $0.hasPrefix(begin) && $0.hasSuffix(end) }
        .map { String($0.dropFirst(begin.count).dropLast(end.count)) })
  }
}

@Suite struct RequiredReasonsTests {
  /// The manifest that apps are shown is as long as it has to be.
  @Test func repository() throws {
    let files = try Repository.current.get().files
    let page = try #require(files.first { $0.path.hasSuffix("/OnADevice.md") })
    let declared = RequiredReasons.categories(declaredIn: page)
    #expect(declared == RequiredReasons.categories(in: files) && !declared.isEmpty)
  }

  @Test func call_hasItsCategory() {
    let file = SourceFile("Sources/EventStore/A.swift", "let a = UserDefaults.standard // stat\n")
    #expect(RequiredReasons.categories(in: [file]) == ["UserDefaults"])
    let other = SourceFile("Tests/A.swift", "let a = UserDefaults.standard\n")
    #expect(RequiredReasons.categories(in: [other]) == [])
  }
}
