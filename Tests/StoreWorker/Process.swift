import LMDB

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

/// Ends this process with a signal that nothing else sends it.
func die() { kill(getpid(), SIGKILL) }

/// Returns the number of open files, and those open or mapped below a folder.
func belongings(below path: String) throws -> String {
  let names = try Folder("/proc/self/fd").names()
  var own: [String] = []
  for name in names {
    var target = [UInt8](repeating: 0, count: 4096)
    let count = unsafe readlink("/proc/self/fd/\(name)", &target, target.count)
    guard count > 0 else { continue }
    let text = String(decoding: target[..<count], as: UTF8.self)
    if text.hasPrefix(path) { own.append(text) }
  }
  let maps = try lines(of: "/proc/self/maps").filter { $0.contains(path) }
  // The folder of descriptors is itself open while it is read.
  return (["\(names.count)"] + own + maps).joined(separator: " ")
}

private func lines(of path: String) throws -> [String] {
  let file = unsafe open(path, O_RDONLY)
  defer { close(file) }
  var (text, part) = ([UInt8](), [UInt8](repeating: 0, count: 1 << 16))
  while true {
    let count = unsafe read(file, &part, part.count)
    guard count > 0 else { break }
    text += part[..<count]
  }
  return String(decoding: text, as: UTF8.self).split(separator: "\n").map(String.init)
}
