import EventStore
import TestSupport
import Testing
import Tideline
import TidelineHTTP

/// The parts of a long page are read at the same time, with the result of reading one item after
/// another.
@Suite struct PagePartsTests {
  /// A page, with its first change either like the others or one that no other begins like, so that
  /// it has a single part; and its changes.
  private struct Pages {
    var changes: [String] = []

    init(seed: UInt64) {
      var drawer = JSONDrawer(seed: seed)
      for number in 0..<500 {
        // A change of which an object within looks like one.
        let inner = drawer.once(in: 4) ? Self.change(0, "{\"files\":[{}]}") : "{}"
        let texts = "{" + String(repeating: "é\\\"", count: drawer.below(300))
        changes.append(
          Self.change(number, #"{"subject":"\#(texts)","x":[\#(inner),1],"unread":true}"#))
      }
    }

    static func change(_ number: Int, _ attributes: String) -> String {
      #"{"cursor":"c\#(number)","object":"message","event":"modify","id":"m\#(number)","#
        + #""attributes":\#(attributes)}"#
    }

    func bytes(isFirstAlike: Bool) -> [UInt8] {
      let opening = #"{"cursor":"c0","object":"message","event":"modify","#
      let other = #"{"event":"modify","object":"message","cursor":"c0","#
      var text = #"{"cursor_end":"a","deltas":["# + changes.joined(separator: ", ") + "]}"
      if !isFirstAlike { text = text.replacing(opening, with: other, maxReplacements: 1) }
      return Array(text.utf8)
    }
  }

  private func read(_ bytes: [UInt8]) -> Result<DeltaPage, JSONFault> {
    Result { () throws(JSONFault) in try DeltaPage(bytes.payloadBytes) }
  }

  // Takes about a second in a debug build, like the next one: pages of some 400 kB.
  @Test func longPage_isItsChanges() throws {
    for seed in 0..<UInt64(Campaign.size(12, long: 2000)) {
      let pages = Pages(seed: seed)
      let page = try read(pages.bytes(isFirstAlike: true)).get()
      let changes = try pages.changes.flatMap { change in
        try DeltaLine(Array(change.utf8).payloadBytes).items.facts
      }
      #expect(page.items.facts == changes && page.items.refused.isEmpty, "seed \(seed)")
    }
  }

  @Test(arguments: [0..<250, 250..<500, 0..<500])
  func refusedPart_leavesOtherPartsAsTheyAre(refused: Range<Int>) throws {
    var pages = Pages(seed: 1)
    for place in refused {
      pages.changes[place].replace(#""unread":true"#, with: #""unread":[]"#)
    }
    let parts = try read(pages.bytes(isFirstAlike: true)).get()
    let whole = try read(pages.bytes(isFirstAlike: false)).get()
    #expect(parts.items.facts == whole.items.facts)
    #expect(parts.items.facts.count == 500 - refused.count)
    #expect(parts.items.refused.map(\.line) == whole.items.refused.map(\.line))
    #expect(parts.items.refused.count == refused.count)
  }

  @Test func damagedPage_isReadAsOneAfterTheOther() throws {
    for seed in 0..<UInt64(Campaign.size(12, long: 2000)) {
      let pages = Pages(seed: seed)
      var drawer = JSONDrawer(seed: seed)
      var (parts, whole) = (pages.bytes(isFirstAlike: true), pages.bytes(isFirstAlike: false))
      for _ in 0...drawer.below(3) {
        let place = 100 + drawer.below(parts.count - 100)
        let byte = Array("{}[]\",:1 \u{80}".utf8)[drawer.below(10)]
        (parts[place], whole[place]) = (byte, byte)
      }
      switch (read(parts), read(whole)) {
      case (.success(let first), .success(let second)):
        #expect(first.items.facts == second.items.facts, "seed \(seed)")
        #expect(first.items.refused.map(\.line) == second.items.refused.map(\.line))
      case (.failure(let first), .failure(let second)): #expect(first == second, "seed \(seed)")
      default: Issue.record("seed \(seed): only one was read")
      }
    }
  }
}
