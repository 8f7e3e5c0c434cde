package import TestSupport

/// A program that keeps promises: it acknowledges what it has made durable, and can tell of any
/// place whether what was acknowledged there is there.
///
/// Its first argument says what it is to do; it is a ``WorkloadProgram`` or behaves as one:
///
/// - `run PLACE` works below `PLACE/root`, and writes one line to `PLACE/acknowledged`, in one
///   write, each time something has become durable. A line that begins with `#` is a remark and
///   promises nothing; see ``Trace/unjudgedLine``.
/// - `verify PLACE…` prints one line for each place in turn: `kept`, or what is wrong there. It may
///   change the files. If it is killed, that is what is wrong with the place it was at.
package struct Workload: Sendable {
  private let program: Program

  package init(_ program: Program) { self.program = program }

  /// The workload that is this executable of the package.
  package init(_ name: String) throws {
    self.init(try Program(name))
  }

  /// Lets it run once, at a place that is made for it.
  package func record(at place: Place) throws -> Trace {
    try place.create()
    return try Recorder.trace(of: program, ["run", place.path], at: place)
  }

  /// What is wrong at each place, `nil` where nothing is.
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
