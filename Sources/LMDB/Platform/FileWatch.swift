#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// Reports that a file was written or unlocked, or that an entry arrived in a folder, in any
/// process and without polling.
///
/// Its own thread sleeps in the kernel between changes, and ends when the watch is stopped. Systems
/// watch a limited number of files: beyond that, the thread polls every ``lookPause``.
package final class FileWatch: Sendable {
  /// The interval of polling when the system doesn't report changes.
  static let lookPause = Duration.milliseconds(50)

  private struct State {
    var isStopped = false
    var hasEnded = false
  }

  /// The descriptor whose closing wakes the thread in the kernel when the watch is stopped.
  private let stopping: CInt?
  private let state = Monitor(State())

  /// The event to report.
  package enum Event: Sendable {
    /// The file was written.
    case writing
    /// A process that could have locked the file released it, or may be about to, also by dying;
    /// processes that only read it don't count.
    case unlocking
    /// An entry of the folder got a name or, on some systems, lost one.
    case arrival
  }

  /// Calls `changed` on the watch's thread, immediately and after each such event; polls, and calls
  /// it whenever there may have been an event, if the system can't watch or `isTold` is `false`.
  ///
  /// - Parameter rest: Returns, after each call of `changed`, how long to leave further events
  ///   alone, in whole milliseconds; one call reports them all afterwards.
  package init(
    _ path: String, for event: Event = .writing, isTold: Bool = true,
    rest: @escaping @Sendable () -> Duration = { .zero }, changed: @escaping @Sendable () -> Void
  ) {
    let telling = isTold ? Telling(path, event) : nil
    stopping = telling?.stopping
    _ = WorkerThread { [state] in
      var rested = Duration.zero
      repeat {
        changed()
        rested = rest()
      } while telling?.waitForChange(afterRest: rested) ?? Self.lookAgain(state, afterRest: rested)
      telling?.end()
      state.withLock { $0.hasEnded = true }
      state.notify()
    }
  }

  /// Ends the watch.
  ///
  /// Call it once.
  package func stop() {
    state.withLock { $0.isStopped = true }
    state.notify()
    if let stopping { _ = close(stopping) }
  }

  /// Returns once the stopped watch has released all its resources.
  ///
  /// Blocks; not for the watch's own thread, nor for the cooperative pool.
  package func waitForEnd() { _ = state.withLock(when: { $0.hasEnded }) { _ in } }

  /// Waits until it is time to poll again, after a rest; returns `false` if the watch was stopped.
  private static func lookAgain(_ state: Monitor<State>, afterRest rest: Duration) -> Bool {
    let next = Instant.now + max(rest, lookPause)
    return state.withLock(until: next, when: { $0.isStopped }) { _ in } == nil
  }

  /// The system's notifications, and the end of a pipe that signals when to stop.
  private struct Telling: Sendable {
    let source: Source
    let stopped: CInt
    let stopping: CInt

    init?(_ path: String, _ event: Event) {
      var ends: [CInt] = [-1, -1]
      guard unsafe pipe(&ends) == 0 else { return nil }
      (stopped, stopping) = (ends[0], ends[1])
      // A child that inherited the other end would keep the watch from being stopped.
      for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
      guard let source = Source(path, event) else {
        for end in ends { _ = close(end) }
        return nil
      }
      self.source = source
    }

    /// Returns once there is an event after a rest; `false` if the watch was stopped.
    func waitForChange(afterRest rest: Duration) -> Bool {
      !isStopped(within: rest) && source.waitForChange(orReadable: stopped)
    }

    /// Waits, though perhaps less if a signal arrives, and returns whether the watch was stopped
    /// meanwhile.
    private func isStopped(within rest: Duration) -> Bool {
      guard rest > .zero else { return false }
      var polled = pollfd(fd: stopped, events: Int16(POLLIN), revents: 0)
      return unsafe poll(&polled, 1, CInt(clamping: rest.nanoseconds / 1_000_000)) > 0
    }

    func end() {
      source.end()
      _ = close(stopped)
    }
  }

  #if canImport(Darwin)
    /// A kernel queue that reports events on an open file.
    private struct Source: Sendable {
      let queue: CInt
      let file: CInt

      init?(_ path: String, _ event: Event) {
        let notes =
          switch event {
          case .writing: NOTE_WRITE | NOTE_EXTEND
          case .unlocking: NOTE_WRITE | NOTE_FUNLOCK
          case .arrival: NOTE_WRITE
          }
        (file, queue) = (unsafe open(path, O_EVTONLY | O_CLOEXEC), kqueue())
        guard file >= 0, queue >= 0, Self.watch(file, for: UInt32(notes), in: queue) else {
          for descriptor in [file, queue] where descriptor >= 0 { _ = close(descriptor) }
          return nil
        }
      }

      private static func watch(_ file: CInt, for notes: UInt32, in queue: CInt) -> Bool {
        var change = unsafe kevent(
          ident: UInt(file), filter: Int16(EVFILT_VNODE), flags: UInt16(EV_ADD | EV_CLEAR),
          fflags: notes, data: 0, udata: nil)
        return unsafe kevent(queue, &change, 1, nil, 0, nil) == 0
      }

      func waitForChange(orReadable stopped: CInt) -> Bool {
        var stop = unsafe kevent(
          ident: UInt(stopped), filter: Int16(EVFILT_READ), flags: UInt16(EV_ADD), fflags: 0,
          data: 0, udata: nil)
        var event = unsafe kevent()
        while unsafe kevent(queue, &stop, 1, &event, 1, nil) < 0 {
          guard errno == EINTR else { return false }
        }
        return unsafe event.ident != UInt(stopped)
      }

      func end() {
        _ = close(queue)
        _ = close(file)
      }
    }
  #else
    /// An inotify descriptor that reports events on a path.
    private struct Source: Sendable {
      let notifications: CInt

      init?(_ path: String, _ event: Event) {
        notifications = inotify_init1(CInt(IN_CLOEXEC))
        guard notifications >= 0 else { return nil }
        let mask =
          switch event {
          case .writing: IN_MODIFY
          case .unlocking: IN_CLOSE_WRITE
          case .arrival: IN_MOVED_TO
          }
        guard unsafe inotify_add_watch(notifications, path, UInt32(mask)) >= 0 else {
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
