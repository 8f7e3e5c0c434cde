import CProcesses
import Foundation
package import LMDB

/// A process of another program, which this one starts and watches until it ends.
///
///     let output = Pipe()
///     let child = try ChildProcess("/bin/ls", ["-l"], output: .pipe(output))
///     let listing = try output.fileHandleForReading.readToEnd()
///     guard child.waitForEnd() == .status(0) else { … }
///
/// It inherits none of this process's open files except the three given ones, and no blocked or
/// ignored signals. It has a process group of its own, shared with its children.
///
/// Don't use Foundation's `Process` on Linux. When it lists this process's open files, it reads
/// beyond the end of the system's result, which occasionally crashes the caller (pull request 5472
/// of swift-corelibs-foundation). It also detects a process's end by a socket that a process
/// started at the same moment inherits, so waiting for one process may mean waiting for the other:
/// this happened to 34 of 854 that six threads started concurrently.
package final class ChildProcess: Sendable {
  /// The way a process ended.
  package enum End: Hashable, Sendable {
    /// The process exited with a status.
    case status(CInt)
    /// A signal ended the process.
    case signal(CInt)

    /// The status, or the signal.
    package var number: CInt {
      switch self {
      case .status(let number), .signal(let number): number
      }
    }
  }

  /// The process id.
  package let number: Int32
  private let state = Monitor<End?>(nil)

  /// Starts the process.
  ///
  /// - Parameters:
  ///   - program: The path of the program.
  ///   - environment: Environment variables in addition to this process's.
  ///   - folder: The working directory, if not this process's.
  /// - Throws: The reason why the system can't start the process, such as a missing program.
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

  /// Waits for the end, and records it at the moment when the system releases the process id.
  private static func watch(_ number: pid_t, _ state: Monitor<End?>) {
    var information = unsafe siginfo_t()
    let ended = WEXITED | WNOWAIT
    while unsafe waitid(P_PID, id_t(number), &information, ended) < 0, errno == EINTR {}
    state.withLock { end in
      // The status that a shell reports when it knows nothing about a command.
      var status: CInt = 127 << 8
      while unsafe waitpid(number, &status, 0) < 0, errno == EINTR {}
      end = End(status)
    }
    state.notify()
  }

  /// How the process ended, if it has.
  package var end: End? { state.withLock { $0 } }

  /// Waits for the process to end, and returns how it ended; blocks, so not for the cooperative
  /// pool.
  @discardableResult
  package func waitForEnd() -> End {
    while true {
      if let end = state.withLock(when: { $0 != nil }, { $0 }) ?? nil { return end }
    }
  }

  /// Waits without blocking.
  @discardableResult
  package func ended() async -> End {
    await answered { answer in
      _ = WorkerThread { answer.resume(self.waitForEnd()) }
    }
  }

  /// Sends a signal to the process and its group; does nothing once the process has ended.
  package func signal(_ signal: CInt) {
    state.withLock { end in
      guard end == nil, kill(-number, signal) != 0 else { return }
      kill(number, signal)
    }
  }
}

extension ChildProcess.End {
  /// Decodes the system's exit status.
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

/// Lends texts as the null-terminated array that the system expects.
private func lent(
  _ texts: [String], _ body: (UnsafePointer<UnsafeMutablePointer<CChar>?>) -> CInt
) -> CInt {
  let copies = unsafe texts.map { unsafe strdup($0) } + [nil]
  defer { unsafe copies.forEach { unsafe free($0) } }
  return unsafe body(copies)
}
