import Foundation

/// The machine behind the figures, which mean nothing without it.
package struct Machine: Sendable, Hashable {
  package let cores: Int
  package let processor: String?
  package let system: String
  package let swift: String
  package let fileSystem: String?

  /// Describes this machine, with the file system of `folder`.
  package init(folder: String) {
    let process = ProcessInfo.processInfo
    let kernel = try? String(contentsOfFile: "/proc/sys/kernel/osrelease", encoding: .utf8)
    let mounts = try? String(contentsOfFile: "/proc/self/mounts", encoding: .utf8)
    cores = process.activeProcessorCount
    processor = ProcessFile("/proc/cpuinfo").value(after: "model name").map(Self.modelName)
    system =
      kernel.map { "Linux \($0.trimmingCharacters(in: .newlines))" }
      ?? process.operatingSystemVersionString
    swift = Self.compiler
    fileSystem = mounts.flatMap { Self.fileSystem(of: folder, mounts: $0) }
  }

  /// Whether flushing to disk costs nothing here, so that figures of durable work mean nothing.
  package var keepsFilesInMemory: Bool { fileSystem == "tmpfs" || fileSystem == "ramfs" }

  /// One line for people.
  package var line: String {
    let parts = [
      "\(cores) \(cores == 1 ? "core" : "cores")", processor, system, swift, fileSystem,
    ]
    return parts.compactMap(\.self).joined(separator: ", ")
  }

  /// Returns the type of the file system with `path`, from the text of `/proc/self/mounts`.
  package static func fileSystem(of path: String, mounts: String) -> String? {
    var deepest = 0
    var type: String?
    for line in mounts.split(separator: "\n") {
      let fields = line.split(separator: " ")
      guard fields.count > 2 else { continue }
      let point = fields[1] == "/" ? "" : fields[1]
      guard path == point || path.hasPrefix("\(point)/") else { continue }
      // Depths may also be equal: a later mount hides an earlier one on the same folder.
      if point.count >= deepest { (deepest, type) = (point.count, String(fields[2])) }
    }
    return type
  }

  private static func modelName(_ value: String) -> String {
    value.trimmingCharacters(in: CharacterSet(charactersIn: ": \t"))
  }

  private static var compiler: String {
    #if compiler(>=6.4)
      "Swift 6.4 or later"
    #elseif compiler(>=6.3)
      "Swift 6.3"
    #else
      "Swift 6.2"
    #endif
  }
}
