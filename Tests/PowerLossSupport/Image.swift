package import LMDB

/// The files found after a power cut, and what had been acknowledged before it.
package struct Image: Hashable, Sendable {
  /// The paths of folders, each before the entries within it.
  package var folders: [String] = []
  package var files: [String: Contents] = [:]
  /// The contents of the workload's file of acknowledgements.
  package var acknowledged: [UInt8]

  package init(acknowledged: [UInt8] = []) { self.acknowledged = acknowledged }

  /// The number of bytes in all files together.
  package var size: Int { files.values.reduce(0) { $0 + $1.size } }

  /// Writes the image to a place for a workload; its folder must not exist yet.
  package func write(to place: Place) throws(LMDBError) {
    try place.create()
    for folder in folders { try place.root.folder(folder).create() }
    for (path, contents) in files {
      try File(place.root.path(of: path), .create).write(contents.bytes)
    }
    try File(place.acknowledged, .create).write(acknowledged)
  }
}

/// The images of several power cuts, made in order in one pass over the trace.
package struct Images: Sequence, IteratorProtocol {
  private let trace: Trace
  private var cuts: ArraySlice<PowerCut>
  private var disk: Disk
  private var moment = 0

  package init(of trace: Trace, at cuts: [PowerCut], _ habit: PowerCut.Habit) {
    self.trace = trace
    self.cuts = cuts.sorted { $0.moment < $1.moment }[...]
    disk = Disk(habit)
  }

  package mutating func next() -> (cut: PowerCut, image: Image)? {
    guard let cut = cuts.popFirst() else { return nil }
    while moment < cut.moment, moment < trace.operations.count {
      disk.apply(trace.operations[moment])
      moment += 1
    }
    return (cut, disk.image(keeping: cut.survivors))
  }
}
