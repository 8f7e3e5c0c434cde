package import TestSupport

/// A program that keeps promises: it acknowledges what it has made durable, and can verify whether
/// the data acknowledged at a place is there.
///
/// Its first argument is a command; the program is a ``WorkloadProgram`` or behaves like one:
///
/// - `run PLACE` works below `PLACE/root`, and each time data becomes durable, appends one line to
///   `PLACE/acknowledged` in one write. A line that begins with `#` is a remark and promises
///   nothing; see ``Trace/unjudgedLine``.
/// - `verify PLACE…` prints one line for each place in turn: `kept`, or the loss. It may change the
///   files. If it is killed, that counts as the loss of the current place.
package struct Workload: Sendable {
  private let program: Program

  package init(_ program: Program) { self.program = program }

  /// Creates a workload from an executable of the package.
  package init(_ name: String) throws {
    self.init(try Program(name))
  }

  /// Runs the workload once, at a place made for it.
  package func record(at place: Place) throws -> Trace {
    try place.create()
    return try Recorder.trace(of: program, ["run", place.path], at: place)
  }

  /// Returns the loss at each place, or `nil` if nothing is lost.
  package func losses(at places: [Place]) throws -> [String?] {
    var losses: [String?] = []
    while losses.count < places.count {
      let left = places[losses.count...].map(\.path)
      let outcome = try program.run(["verify"] + left)
      let lines = outcome.output.split(separator: "\n")
      losses += lines.map { $0 == "kept" ? nil : String($0) }
      if lines.count < left.count { losses.append(outcome.failure ?? "no answer") }
    }
    return losses
  }
}
