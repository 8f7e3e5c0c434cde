import CProcesses
package import Foundation

extension ChildProcess {
  /// The source or target of one of the three files that a process is given.
  package enum Stream {
    /// This process's own file.
    case own
    /// An empty file that discards everything written to it.
    case nothing
    /// A pipe, whose other end this process keeps.
    case pipe(Pipe)
    /// A file.
    case file(FileHandle)
  }
}

extension ChildProcess.Stream {
  /// Returns the descriptor for the system, depending on whether the child reads or writes.
  func descriptor(isRead: Bool) -> CInt {
    switch self {
    case .own: TIDELINE_OWN_FILE
    case .nothing: TIDELINE_NO_FILE
    case .pipe(let pipe): pipe.end(isRead: isRead).fileDescriptor
    case .file(let file): file.fileDescriptor
    }
  }

  /// Closes this process's copy of the child's end of a pipe, so that the child's closing it is
  /// noticed.
  func closeGiven(isRead: Bool) {
    if case .pipe(let pipe) = self { try? pipe.end(isRead: isRead).close() }
  }
}

extension Pipe {
  fileprivate func end(isRead: Bool) -> FileHandle {
    isRead ? fileHandleForReading : fileHandleForWriting
  }
}
