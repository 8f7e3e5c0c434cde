import CProcesses
import Foundation
package import LMDB

/// A process of another program, which is begun by this one and looked after until it ends.
///
///     let output = Pipe()
///     let child = try ChildProcess("/bin/ls", ["-l"], output: .pipe(output))
///     let listing = try output.fileHandleForReading.readToEnd()
///     guard child.waitForEnd() == .status(0) else { … }
///
/// It has none of this process's open files but the three that it is given, no signal that is held
/// back or ignored, and a group of its own, in which those are that it begins.
///
/// Foundation's `Process` is not for use on Linux. As it lists this process's open files it reads
/// beyond the end of what the system answered, which now and then ends the program that asks (pull
/// request 5472 of swift-corelibs-foundation); and it notices an end by a socket that a process
/// begun in the same moment inherits, so that who waits for the one waits for the other: 34 of 854
/// that six threads began beside others.
package final class ChildProcess: Sendable {
  /// How a process ended.
  package enum End: Hashable, Sendable {
    /// By itself, with a status.
    case status(CInt)
    /// By a signal.
    case signal(CInt)

    /// The status, or the signal.
    package var number: CInt {
      switch self {
      case .status(let number), .signal(let number): number
      }
    }
  }

  /// The system's number for it.
  package let number: Int32
  private let state = Monitor<End?>(nil)

  /// Begins it.
  ///
  /// - Parameters:
  ///   - program: The path of the program.
  ///   - environment: What its environment has beside this process's.
  ///   - folder: Where it runs, if not where this process does.
  /// - Throws: Why the system does not begin it, such as that there is no such program.
  package init(
    _ program: String, _ arguments: [String] = [], environment: [String: String] = [:],
    in folder: String? = nil, input: Stream = .own, output: Stream = .own, errors: Stream = .own
  ) throws(LMDBError) {
    let whole = ProcessInfo.processInfo.environment.merging(environment) { $1 }
    let files =
      [input.descriptor(isRead: true)] + [output, errors].map { $0.descriptor(isRead: false) }
    var number: pid_t = 0
    let error = unsafe lent([program] + arguments) { arguments in
      unsafe lent(whole.map { "\($0)=\($1)" }) { environment in
        unsafe tideline_begin(&number, arguments, environment, folder, files)
      }
    }
    guard error == 0 else { throw LMDBError(.system(error), "begin \(program)") }
    self.number = number
    input.closeGiven(isRead: true)
    for stream in [output, errors] { stream.closeGiven(isRead: false) }
    _ = WorkerThread { [number, state] in Self.watch(number, state) }
  }

  /// Waits for the end, and notes it in the moment in which the system forgets the number.
  private static func watch(_ number: pid_t, _ state: Monitor<End?>) {
    var information = unsafe siginfo_t()
    let ended = WEXITED | WNOWAIT
    while unsafe waitid(P_PID, id_t(number), &information, ended) < 0, errno == EINTR {}
    state.withLock { end in
      // What a shell says of a command of which it can say nothing.
      var status: CInt = 127 << 8
      while unsafe waitpid(number, &status, 0) < 0, errno == EINTR {}
      end = End(status)
    }
    state.notify()
  }

  /// How it ended, if it has.
  package var end: End? { state.withLock { $0 } }

  /// Returns once it has ended, with how that was; not for the cooperative pool, which it blocks.
  @discardableResult
  package func waitForEnd() -> End {
    while true {
      if let end = state.withLock(when: { $0 != nil }, { $0 }) ?? nil { return end }
    }
  }

  /// The same, without blocking.
  @discardableResult
  package func ended() async -> End {
    await answered { answer in
      _ = WorkerThread { answer.resume(self.waitForEnd()) }
    }
  }

  /// Sends it a signal, and its group with it; nothing where it has ended.
  package func signal(_ signal: CInt) {
    state.withLock { end in
      guard end == nil, kill(-number, signal) != 0 else { return }
      kill(number, signal)
    }
  }
}

extension ChildProcess.End {
  /// The end that a status of the system's stands for.
  fileprivate init(_ status: CInt) {
    let signal = status & 0x7F
    self = signal == 0 ? .status(status >> 8 & 0xFF) : .signal(signal)
  }
}

extension ChildProcess.End: CustomStringConvertible {
  package var description: String {
    switch self {
    case .status(let status): "status \(status)"
    case .signal(let signal): "signal \(signal)"
    }
  }
}

/// Lends texts in the way in which the system wants them.
private func lent(
  _ texts: [String], _ body: (UnsafePointer<UnsafeMutablePointer<CChar>?>) -> CInt
) -> CInt {
  let copies = unsafe texts.map { unsafe strdup($0) } + [nil]
  defer { unsafe copies.forEach { unsafe free($0) } }
  return unsafe body(copies)
}
