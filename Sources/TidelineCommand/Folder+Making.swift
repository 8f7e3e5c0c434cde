import LMDB

extension Folder {
  /// Makes the folder where it is missing, and returns once its name is on the medium.
  func make() throws(LMDBError) {
    try create()
    try folder("..").flush()
  }
}
