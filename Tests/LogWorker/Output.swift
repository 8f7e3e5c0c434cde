#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// Writes a line in one call, so that a killed process leaves whole lines only.
func tell(_ line: String) {
  let bytes = Array((line + "\n").utf8)
  _ = unsafe write(1, bytes, bytes.count)
}

/// Drops the superuser's privileges.
func become(_ user: UInt32) -> Bool { setgid(user) == 0 && setuid(user) == 0 }
