#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// The address space that the system can give this process.
enum AddressSpace {
  /// Whether the system now has room for another map of `size` bytes.
  static func hasRoom(for size: Int) -> Bool {
    guard size > 0 else { return true }
    #if canImport(Darwin)
      let flags = MAP_PRIVATE | MAP_ANON
    #else
      let flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE
    #endif
    guard let start = unsafe mmap(nil, size, PROT_NONE, flags, -1, 0), unsafe start != MAP_FAILED
    else { return false }
    return unsafe munmap(start, size) == 0
  }
}
