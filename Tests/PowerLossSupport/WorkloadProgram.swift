import Foundation
package import LMDB

/// Acknowledges to the user that data is now kept: one line, or a remark; see ``Workload``.
package typealias Acknowledgement = @Sendable (String) throws -> Void

/// The program of a workload: conform a type marked `@main`.
///
/// See ``Workload`` for its commands.
package protocol WorkloadProgram {
  /// Works below `root`, and acknowledges each promise when it is durable.
  static func run(in root: Folder, acknowledge: @escaping Acknowledgement) async throws

  /// Returns the loss below `root` after these promises, or `nil` if nothing is lost; it may change
  /// the files there. A thrown error counts as a loss, too.
  static func loss(in root: Folder, after promises: [String]) async throws -> String?
}

extension WorkloadProgram {
  /// Runs the command in the arguments.
  @concurrent package static func main() async throws {
    let arguments = CommandLine.arguments.dropFirst()
    let places = arguments.dropFirst().map { Place($0) }
    if arguments.first == "verify" {
      for place in places { print(line: await verdict(on: place)) }
    } else if let place = places.first {
      let book = try AcknowledgementBook(place.acknowledged)
      try await run(in: place.root) { try book.write($0) }
    }
  }

  private static func verdict(on place: Place) async -> String {
    do {
      return try await loss(in: place.root, after: place.promises) ?? "kept"
    } catch {
      return "\(error)".replacing("\n", with: " ")
    }
  }

  /// Prints immediately, because the next place may kill the process.
  private static func print(line: String) {
    FileHandle.standardOutput.write(Data("\(line)\n".utf8))
  }
}
