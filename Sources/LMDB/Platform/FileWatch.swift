#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// Notices that a file was written or unlocked, by whichever process, without looking again and again.
///
/// A thread of its own sleeps in the kernel between changes; it ends when the watch is stopped.
package final class FileWatch: Sendable {
  private let stopping: CInt
  private let hasEnded = Monitor(false)

  /// What is noticed.
  package enum Event: Sendable {
    /// That the file was written.
    case writing
    /// That a process which could have locked the file let go of it, or may be just about to: also
    /// by its death. Whoever merely reads it is not noticed.
    case unlocking
  }

  /// Calls `changed` on the watch's thread, at once and after each such event; `nil` where the
  /// system can't watch.
  package init?(
    _ path: String, for event: Event = .writing, changed: @escaping @Sendable () -> Void
  ) {
    var ends: [CInt] = [-1, -1]
    guard unsafe pipe(&ends) == 0 else { return nil }
    let (stopped, stopping) = (ends[0], ends[1])
    // A child that had the other end as well would keep the watch from being stopped.
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    guard let source = Source(path, event) else {
      _ = close(stopped)
      _ = close(stopping)
      return nil
    }
    self.stopping = stopping
    _ = WorkerThread { [hasEnded] in
      repeat { changed() } while source.waitForChange(orReadable: stopped)
      source.end()
      _ = close(stopped)
      hasEnded.withLock { $0 = true }
      hasEnded.notify()
    }
  }

  /// Ends the watch.
  ///
  /// Call it once.
  package func stop() { _ = close(stopping) }

  /// Returns once the watch, which was stopped, has let go of all that it had.
  ///
  /// Not for its own thread, nor for the cooperative pool: it blocks.
  package func waitForEnd() { _ = hasEnded.withLock(when: { $0 }) { _ in } }

  #if canImport(Darwin)
    /// A kernel queue that reports writes to an open file.
    private struct Source: Sendable {
      let queue: CInt
      let file: CInt

      init?(_ path: String, _ event: Event) {
        let notes = event == .writing ? NOTE_WRITE | NOTE_EXTEND : NOTE_WRITE | NOTE_FUNLOCK
        file = unsafe open(path, O_EVTONLY | O_CLOEXEC)
        queue = kqueue()
        guard file >= 0, queue >= 0 else { return nil }
        var change = unsafe kevent(
          ident: UInt(file), filter: Int16(EVFILT_VNODE), flags: UInt16(EV_ADD | EV_CLEAR),
          fflags: UInt32(notes), data: 0, udata: nil)
        guard unsafe kevent(queue, &change, 1, nil, 0, nil) == 0 else { return nil }
      }

      func waitForChange(orReadable stopped: CInt) -> Bool {
        var stop = unsafe kevent(
          ident: UInt(stopped), filter: Int16(EVFILT_READ), flags: UInt16(EV_ADD), fflags: 0,
          data: 0, udata: nil)
        var event = unsafe kevent()
        guard unsafe kevent(queue, &stop, 1, &event, 1, nil) > 0 else { return false }
        return event.ident != UInt(stopped)
      }

      func end() {
        _ = close(queue)
        _ = close(file)
      }
    }
  #else
    /// An inotify descriptor that reports writes to a path.
    private struct Source: Sendable {
      let notifications: CInt

      init?(_ path: String, _ event: Event) {
        notifications = inotify_init1(CInt(IN_CLOEXEC))
        guard notifications >= 0 else { return nil }
        let mask = UInt32(event == .writing ? IN_MODIFY : IN_CLOSE_WRITE)
        guard unsafe inotify_add_watch(notifications, path, mask) >= 0 else {
          _ = close(notifications)
          return nil
        }
      }

      func waitForChange(orReadable stopped: CInt) -> Bool {
        var polled = [
          pollfd(fd: notifications, events: Int16(POLLIN), revents: 0),
          pollfd(fd: stopped, events: Int16(POLLIN), revents: 0),
        ]
        while unsafe poll(&polled, 2, -1) < 0 {
          guard errno == EINTR else { return false }
        }
        guard polled[1].revents == 0 else { return false }
        var events = [UInt8](repeating: 0, count: 4096)
        return unsafe read(notifications, &events, events.count) > 0
      }

      func end() { _ = close(notifications) }
    }
  #endif
}
