/// Who is inside an environment: what growing and closing wait for.
@safe
struct Gate {
  /// A stay inside, as a read transaction makes it.
  struct Visit: Equatable {
    let thread: UInt
    let began: Instant

    /// A stay of this thread that begins now.
    init() {
      thread = WorkerThread.current
      began = .now
    }
  }

  /// The open read transactions.
  var readers: [Visit] = []
  /// How many others are inside: the writer, who waits to become it, copies, flushes.
  var others = 0
  /// The thread that holds the write transaction.
  var writer: UInt?
  /// Readers that ended and keep their slot for the next.
  var idle: [OpaquePointer] = unsafe []
  /// Whether the map is about to be replaced, so that nobody new may enter.
  var isGrowing = false
  /// How many need the environment open though they are not inside, or are so for long.
  var keepers = 0
  /// Whether the environment is closed.
  var isClosed = false
  /// Whether replacing the map failed, so that there is none.
  var isUnmapped = false

  var isEmpty: Bool { readers.isEmpty && others == 0 }

  /// Whether that thread holds a transaction.
  func holds(_ thread: UInt) -> Bool {
    writer == thread || readers.contains { $0.thread == thread }
  }

  /// Whether that thread may enter.
  ///
  /// One that is inside already may, since growing waits for it to leave: it must not wait in turn.
  func admits(_ thread: UInt) -> Bool { !isGrowing || holds(thread) }

  /// Ends a stay; readers are told apart by nothing but when and where they began.
  mutating func remove(_ visit: Visit) {
    guard let index = readers.firstIndex(of: visit) else { return }
    readers.swapAt(index, readers.count - 1)
    readers.removeLast()
  }
}

extension Environment {
  /// Waits until this thread may enter, and runs `body` with the gate to itself.
  func enter<R>(_ thread: UInt, _ body: (inout Gate) -> R) throws(LMDBError) -> R {
    let entered = try gate.withLock(when: { $0.admits(thread) }) { gate throws(LMDBError) -> R in
      try gate.requireMap(of: path)
      return body(&gate)
    }
    guard let entered else { preconditionFailure("waiting without a deadline ended") }
    return entered
  }

  /// Runs `body` with the gate to itself, and wakes who waits for the environment to be empty.
  func leave<R>(_ body: (inout Gate) -> R) -> R {
    let (result, isAwaited) = gate.withLock { gate in
      (body(&gate), (gate.isGrowing || gate.isClosed) && gate.isEmpty)
    }
    if isAwaited { gate.notify() }
    return result
  }

  /// Runs `body` inside, so that the map stays where it is and the environment open.
  func visit<R>(_ body: () throws(LMDBError) -> R) throws(LMDBError) -> R {
    try enter(WorkerThread.current) { $0.others += 1 }
    defer { leave { $0.others -= 1 } }
    return try body()
  }
}
