import EventStore
import LMDB
import Tideline

/// A warning about views that were made by another version of the rules.
enum OtherRules {
  /// Warns if the views in a store's folder are known to be made by another version of the rules
  /// than the output: people may have seen something else.
  static func say(of folder: String) {
    let views = Folder(folder).ofViews
    guard let pointer = try? ViewsPointer.read(in: views) else { return }
    let (version, shown) = (pointer.recipe.reducerVersion, InboxReducer().version)
    guard version != shown else { return }
    Output.complain(
      "tideline: version \(version) of the rules made the views in \(folder), but version "
        + "\(shown) made this output. It may differ from what people saw.")
  }
}
