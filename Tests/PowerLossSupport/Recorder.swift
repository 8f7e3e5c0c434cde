import Foundation
import LMDB
import TestSupport

/// The library preloaded into a workload to record what it does to its files.
enum Recorder {
  /// A defect that makes a recording worthless.
  struct Failure: Error, CustomStringConvertible {
    let description: String
  }

  private static let source = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().appendingPathComponent("../CPowerLoss/recorder.c").standardized

  /// The library, compiled once per test run, with only a C compiler.
  private static let library = Result { try compiled() }

  private static func compiled() throws -> URL {
    let number = ProcessInfo.processInfo.processIdentifier
    let products = URL(fileURLWithPath: try Products.program("LogWorkload"))
      .deletingLastPathComponent()
    let library = products.appendingPathComponent("recorder.so")
    let fresh = products.appendingPathComponent("recorder.\(number).so")
    let outcome = try Program.named.run([
      "cc", "-shared", "-fPIC", "-O1", "-U_FORTIFY_SOURCE", "-o", fresh.path, source.path,
      "-lpthread",
    ])
    if let failure = outcome.failure { throw Failure(description: "cc: \(failure)") }
    try Folder(fresh.deletingLastPathComponent().path)
      .rename(fresh.lastPathComponent, to: library.lastPathComponent)
    return library
  }

  /// Runs a program at a place, and returns the trace of its operations there.
  static func trace(of program: Program, _ arguments: [String], at place: Place) throws -> Trace {
    let outcome = try program.run(
      arguments,
      environment: [
        "LD_PRELOAD": try library.get().path,
        "TIDELINE_RECORD_ROOT": place.root.path,
        "TIDELINE_RECORD_TRACE": place.trace,
        "TIDELINE_RECORD_ACKS": place.acknowledged,
      ])
    if let failure = outcome.failure { throw Failure(description: "workload: \(failure)") }
    let trace = Trace(recording: try place.bytes(of: place.trace))
    try check(trace, at: place)
    return trace
  }

  /// Throws if the trace does not lead to the files there, which reveals any call that the recorder
  /// misses.
  private static func check(_ trace: Trace, at place: Place) throws {
    let end = [PowerCut(at: trace.operations.count, .all)]
    for (_, image) in Images(of: trace, at: end, .journalled) {
      guard image != (try place.image()) else { continue }
      throw Failure(description: "the trace does not lead to what is in \(place.folder.path)")
    }
  }
}
