/// The occupants of an environment, which growing and closing wait for.
@safe
struct Gate {
  /// A stay inside, such as a read transaction's.
  struct Visit: Equatable {
    let thread: UInt
    let began: Instant

    /// A stay of this thread, beginning now.
    init() {
      thread = WorkerThread.current
      began = .now
    }
  }

  /// The open read transactions.
  var readers: [Visit] = []
  /// The number of other occupants: the writer, waiting writers, copies, flushes.
  var others = 0
  /// The thread that holds the write transaction.
  var writer: UInt?
  /// Ended readers that keep their slot for the next one.
  var idle: [OpaquePointer] = unsafe []
  /// Whether the map is about to be replaced, so that no new occupant may enter.
  var isGrowing = false
  /// The number of holders that need the environment open without being inside, or while inside for
  /// long.
  var keepers = 0
  /// Whether the environment is closed.
  var isClosed = false
  /// Whether replacing the map failed, leaving none.
  var isUnmapped = false

  var isEmpty: Bool { readers.isEmpty && others == 0 }

  /// Whether a thread holds a transaction.
  func holds(_ thread: UInt) -> Bool {
    writer == thread || readers.contains { $0.thread == thread }
  }

  /// Whether a thread may enter.
  ///
  /// A thread that is already inside may, since growing waits for it to leave, so it must not wait
  /// in turn.
  func admits(_ thread: UInt) -> Bool { !isGrowing || holds(thread) }

  /// Ends a stay; readers differ only in thread and start time.
  mutating func remove(_ visit: Visit) {
    guard let index = readers.firstIndex(of: visit) else { return }
    readers.swapAt(index, readers.count - 1)
    readers.removeLast()
  }
}

extension Environment {
  /// Waits until this thread may enter, and runs `body` with exclusive access to the gate.
  func enter<R>(_ thread: UInt, _ body: (inout Gate) -> R) throws(LMDBError) -> R {
    let entered = try gate.withLock(when: { $0.admits(thread) }) { gate throws(LMDBError) -> R in
      try gate.requireMap(of: path)
      return body(&gate)
    }
    guard let entered else { preconditionFailure("waiting without a deadline ended") }
    return entered
  }

  /// Runs `body` with exclusive access to the gate, and wakes threads that wait for the environment
  /// to be empty.
  func leave<R>(_ body: (inout Gate) -> R) -> R {
    let (result, isAwaited) = gate.withLock { gate in
      (body(&gate), (gate.isGrowing || gate.isClosed) && gate.isEmpty)
    }
    if isAwaited { gate.notify() }
    return result
  }

  /// Runs `body` inside, which keeps the map in place and the environment open.
  func visit<R>(_ body: () throws(LMDBError) -> R) throws(LMDBError) -> R {
    try enter(WorkerThread.current) { $0.others += 1 }
    defer { leave { $0.others -= 1 } }
    return try body()
  }
}
