package import Foundation

/// A folder that is removed after its use.
package enum Scratch {
  /// Calls `body` with a new folder, in memory if the system offers that: an image lives for
  /// milliseconds and need not reach a disk.
  package static func use<Result>(_ body: (URL) throws -> Result) throws -> Result {
    let memory = URL(fileURLWithPath: "/dev/shm")
    let inMemory = FileManager.default.isWritableFile(atPath: memory.path)
    let folder = (inMemory ? memory : FileManager.default.temporaryDirectory)
      .appendingPathComponent("tideline-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    return try body(folder)
  }
}
