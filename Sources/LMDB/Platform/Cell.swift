/// A value in a place of its own, which can be changed by whoever can read it.
///
/// One thread at a time uses a cell, and nothing uses the value while something changes it. Debug
/// builds check the latter; release builds save these checks, and the counting of references that
/// they entail, for the sake of code that uses cells many times within a microsecond.
///
/// It is public because generic code of this kind is compiled into other modules only then.
@safe
public struct Cell<Value: ~Copyable>: ~Copyable {
  #if DEBUG
    private final class Storage {
      var value: Value

      init(_ value: consuming Value) { self.value = value }
    }

    private let storage: Storage

    /// Creates a cell with a value.
    public init(_ value: consuming Value) { storage = Storage(value) }

    /// The value.
    public var value: Value {
      _read { yield storage.value }
      nonmutating _modify { yield &storage.value }
    }
  #else
    @usableFromInline let place: UnsafeMutablePointer<Value>

    /// Creates a cell with a value.
    @inlinable
    public init(_ value: consuming Value) {
      unsafe place = .allocate(capacity: 1)
      unsafe place.initialize(to: value)
    }

    deinit {
      unsafe place.deinitialize(count: 1)
      unsafe place.deallocate()
    }

    /// The value.
    @inlinable
    public var value: Value {
      @inline(__always) unsafeAddress { unsafe UnsafePointer(place) }
      @inline(__always) nonmutating unsafeMutableAddress { unsafe place }
    }
  #endif
}
