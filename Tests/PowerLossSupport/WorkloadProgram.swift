import Foundation
package import LMDB

/// The program of a workload: conform a type marked `@main`.
///
/// See ``Workload`` for what it is asked to do.
package protocol WorkloadProgram {
  /// Works below `root`, and acknowledges each promise when it is durable.
  static func run(in root: Folder, acknowledge: (String) throws -> Void) throws

  /// What is wrong below `root` after these promises, `nil` where nothing is; it may change the
  /// files there. What it throws is wrong, too.
  static func loss(in root: Folder, after promises: [String]) throws -> String?
}

extension WorkloadProgram {
  /// Does what the arguments say.
  package static func main() throws {
    let arguments = CommandLine.arguments.dropFirst()
    let places = arguments.dropFirst().map { Place($0) }
    if arguments.first == "verify" {
      for place in places { print(line: verdict(on: place)) }
    } else if let place = places.first {
      try run(at: place)
    }
  }

  private static func run(at place: Place) throws {
    let file = try File(place.acknowledged, .create)
    var size = 0
    try run(in: place.root) { promise in
      let line = Array("\(promise)\n".utf8)
      try file.write(line, at: size)
      size += line.count
    }
  }

  private static func verdict(on place: Place) -> String {
    do {
      return try loss(in: place.root, after: place.promises) ?? "kept"
    } catch {
      return "\(error)".replacing("\n", with: " ")
    }
  }

  /// At once, as the next place may kill the process.
  private static func print(line: String) {
    FileHandle.standardOutput.write(Data("\(line)\n".utf8))
  }
}
