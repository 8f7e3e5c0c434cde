import PowerLossSupport
import Testing

/// The possible states after a power cut: short histories and all images they allow.
struct DiskTests {
  private static let file = Node(1)
  private static let other = Node(2)
  private static let create = Trace.Operation.create(file, path: "a")

  private static func write(_ text: String, at offset: Int = 0, durable: Bool = false)
    -> Trace.Operation
  {
    .write(file, offset: offset, bytes: Array(text.utf8), durable: durable)
  }

  /// Returns every image that 200 random choices produce, as text: `path=contents`.
  private func images(
    _ habit: PowerCut.Habit, _ operations: [Trace.Operation]
  ) -> Set<String> {
    var disk = Disk(habit)
    for operation in operations { disk.apply(operation) }
    let survivors: [PowerCut.Survivors] = [.none, .all] + (0..<200).map { .some(seed: $0) }
    return Set(survivors.map { text(of: disk.image(keeping: $0)) })
  }

  private func text(of image: Image) -> String {
    let files = image.files.map { "\($0)=\(text(of: $1.bytes))" }
    return (image.folders.map { "\($0)/" } + files).sorted().joined(separator: " ")
  }

  /// Returns the bytes as text, with dots for zeros and each run of a character shortened to one.
  private func text(of bytes: [UInt8]) -> String {
    var text = ""
    for byte in bytes {
      let character = byte == 0 ? "." : Character(Unicode.Scalar(byte))
      if text.last != character { text.append(character) }
    }
    return text
  }

  @Test func createdFile_withoutFlushes_mayBeMissingOrEmpty() {
    for habit in PowerCut.Habit.allCases {
      #expect(images(habit, [Self.create, Self.write("x")]) == ["", "a=", "a=x"])
    }
  }

  @Test func createdFile_flushedButNotItsFolder_isMissingOnlyWhereHarsh() {
    let operations = [Self.create, Self.write("x"), .flush(Self.file)]
    #expect(images(.journalled, operations) == ["a=x"])
    #expect(images(.harsh, operations) == ["", "a=x"])
    #expect(images(.harsh, operations + [.flush(.root)]) == ["a=x"])
  }

  @Test func flush_ofAFile_coversWritesAndSizesBeforeItOnly() {
    let page = String(repeating: "y", count: Contents.pageSize)
    let before = [Self.create, Self.write("x"), .flush(Self.file), .flush(.root)]
    let after = [Self.write(page), Self.write(page, at: Contents.pageSize)]
    #expect(images(.harsh, before + after) == ["a=x", "a=y", "a=x.y"])
    #expect(images(.harsh, before + [.resize(Self.file, size: 0)]) == ["a=x", "a="])
  }

  @Test func durableWrite_takesItsPageWithIt_andNoOther() {
    let start = [Self.create, .flush(.root)]
    let near = [Self.write("x"), Self.write("y", at: 1, durable: true)]
    let far = [Self.write("x"), Self.write("y", at: Contents.pageSize, durable: true)]
    #expect(images(.harsh, start + near) == ["a=xy"])
    #expect(images(.harsh, start + far) == ["a=.y", "a=x.y"])
  }

  @Test func rename_overAnother_leavesOneOfTheTwo() {
    let start: [Trace.Operation] = [
      Self.create, Self.write("x"), .create(Self.other, path: "b"), .flush(Self.file),
      .flush(Self.other), .flush(.root),
    ]
    let rename = Trace.Operation.rename(from: "a", to: "b")
    for habit in PowerCut.Habit.allCases {
      #expect(images(habit, start + [rename]) == ["a=x b=", "b=x"])
      #expect(images(habit, start + [rename, .flush(.root)]) == ["b=x"])
    }
  }

  @Test func rename_betweenFolders_isDurableWhenBothAreFlushed() {
    let folders: [Trace.Operation] = [
      .makeFolder(Self.other, path: "f"), .create(Self.file, path: "f/a"), .flush(Self.file),
      .flush(.root), .flush(Self.other), .rename(from: "f/a", to: "a"),
    ]
    #expect(images(.harsh, folders + [.flush(.root)]) == ["f/ f/a=", "a= f/"])
    #expect(images(.harsh, folders + [.flush(.root), .flush(Self.other)]) == ["a= f/"])
  }

  @Test func folder_thatIsNotDurable_takesWhatIsInItAlong() {
    let operations: [Trace.Operation] = [
      .makeFolder(Self.other, path: "f"), .create(Self.file, path: "f/a"), .flush(Self.other),
    ]
    #expect(images(.harsh, operations) == ["", "f/ f/a="])
  }

  @Test func removal_withoutFlush_mayBeUndone() {
    let operations = [Self.create, .flush(.root), .remove(path: "a")]
    #expect(images(.harsh, operations) == ["a=", ""])
    #expect(images(.harsh, operations + [.flush(.root)]) == [""])
  }

  @Test func names_whereJournalled_changeInOrder() {
    let operations: [Trace.Operation] = [Self.create, .create(Self.other, path: "b")]
    #expect(images(.journalled, operations) == ["", "a=", "a= b="])
    #expect(images(.harsh, operations) == ["", "a=", "b=", "a= b="])
  }

  @Test func flushAll_coversEverything() {
    let operations = [Self.create, Self.write("x"), .flushAll]
    #expect(images(.harsh, operations) == ["a=x"])
  }
}
