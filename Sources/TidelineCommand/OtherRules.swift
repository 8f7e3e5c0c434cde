import EventStore
import LMDB
import Tideline

/// Another version of the rules, by which a store's views were made that somebody was shown.
enum OtherRules {
  /// Says that the views in a store's folder were made by another version of the rules than is
  /// shown, where that is known: whoever saw them may have seen something else.
  static func say(of folder: String) {
    let views = Folder(folder).folder("views")
    guard let pointer = try? ViewsPointer.read(in: views) else { return }
    let (version, shown) = (pointer.recipe.reducerVersion, InboxReducer().version)
    guard version != shown else { return }
    Output.complain(
      "tideline: the views in \(folder) were made by version \(version) of the rules, and what is "
        + "shown is by version \(shown). It may be otherwise than what was seen.")
  }
}
