/// A model of a medium with a write cache: what is certainly durable, and what may be.
package struct Disk {
  private let habit: PowerCut.Habit
  private var files: [Node: StoredFile] = [:]
  private var names = Names()
  private var acknowledged: [UInt8] = []

  package init(_ habit: PowerCut.Habit) { self.habit = habit }

  package mutating func apply(_ operation: Trace.Operation) {
    switch operation {
    case .create(let node, let path):
      files[node] = StoredFile()
      names.add(path, node)
    case .makeFolder(let node, let path): names.add(path, node)
    case .write(let node, let offset, let bytes, let durable):
      files[node]?.write(bytes, at: offset, durable: durable)
    case .resize(let node, let size): files[node]?.resize(to: size)
    case .rename(let from, let to): names.rename(from, to: to)
    case .link(let from, let to): names.link(from, as: to)
    case .remove(let path): names.remove(path)
    case .flush(let node): flush(node)
    case .flushAll: flushAll()
    case .acknowledge(let bytes): acknowledged += bytes
    }
  }

  private mutating func flush(_ node: Node) {
    files[node]?.flush()
    switch habit {
    case .journalled: names.flush()
    case .harsh: names.flush(node)
    }
  }

  private mutating func flushAll() {
    for node in files.keys { files[node]?.flush() }
    names.flush()
  }

  /// Returns the files found after the power is lost now.
  package func image(keeping survivors: PowerCut.Survivors) -> Image {
    let survival = Survival(survivors)
    var image = Image(acknowledged: acknowledged)
    var contents: [Node: Contents] = [:]
    for (path, node) in names.paths(habit, keeping: survival) {
      guard let file = files[node] else {
        image.folders.append(path)
        continue
      }
      let kept = contents[node] ?? file.contents(keeping: survival)
      contents[node] = kept
      image.files[path] = kept
    }
    return image
  }
}
