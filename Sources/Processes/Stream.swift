import CProcesses
package import Foundation

extension ChildProcess {
  /// What one of the three files is that a process is given.
  package enum Stream {
    /// The one that this process has.
    case own
    /// One that is empty, and takes everything.
    case nothing
    /// A pipe, of which this process keeps the other end.
    case pipe(Pipe)
    /// A file.
    case file(FileHandle)
  }
}

extension ChildProcess.Stream {
  /// What the system is told of it, where the child reads from it or writes to it.
  func descriptor(isRead: Bool) -> CInt {
    switch self {
    case .own: TIDELINE_OWN_FILE
    case .nothing: TIDELINE_NO_FILE
    case .pipe(let pipe): pipe.end(isRead: isRead).fileDescriptor
    case .file(let file): file.fileDescriptor
    }
  }

  /// Closes the end of a pipe that is the child's, so that it is noticed when that closes it.
  func closeGiven(isRead: Bool) {
    if case .pipe(let pipe) = self { try? pipe.end(isRead: isRead).close() }
  }
}

extension Pipe {
  fileprivate func end(isRead: Bool) -> FileHandle {
    isRead ? fileHandleForReading : fileHandleForWriting
  }
}
