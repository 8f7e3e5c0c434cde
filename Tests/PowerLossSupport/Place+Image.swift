import Foundation
import LMDB

extension Place {
  /// Returns the files there now, without LMDB's lock files, which are not recorded.
  func image() throws -> Image {
    var image = Image(acknowledged: try bytes(of: acknowledged))
    let paths = try FileManager.default.subpathsOfDirectory(atPath: root.path)
    for path in paths.sorted() where !path.hasSuffix("lock.mdb") {
      let attributes = try FileManager.default.attributesOfItem(atPath: root.path(of: path))
      if attributes[.type] as? FileAttributeType == .typeDirectory {
        image.folders.append(path)
      } else {
        image.files[path] = Contents(try bytes(of: root.path(of: path)))
      }
    }
    return image
  }
}
