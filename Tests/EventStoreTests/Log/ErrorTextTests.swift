import EventStore
import Testing

/// The texts of errors, as people read them.
@Suite struct ErrorTextTests {
  /// The text of a lower level's error is a sentence of its own there, and part of one here.
  @Test func textWithin_endsWithNoStop() {
    let missing = LogError.missing(path: "a").description
    #expect(
      StoreError.views(path: "b", detail: missing).description
        == "The views in b can't be maintained: a does not exist. Create the folder first. "
        + "Fix the cause; the views can be deleted safely.")
    #expect(
      LogError.failed(path: "b", detail: missing).description
        == "b failed: a does not exist. Create the folder first. Close, check and reopen it.")
    #expect(
      LogError.damagedFile(path: "b", detail: "cut off").description
        == "b is damaged: cut off. Salvage it, or restore a backup.")
  }
}
