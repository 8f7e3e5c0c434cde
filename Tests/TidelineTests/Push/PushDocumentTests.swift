import Testing
import Tideline

/// The presets match their documentation.
@Suite struct PushDocumentTests {
  private static let presets = [PushKeys.tideline, .marketingCloud, .engage]

  private let document: EventDocument

  init() throws { document = try EventDocument("Pushes") }

  @Test func conditions_areThoseOfTheDocument() {
    let conditions: [(String, KeyPath<PushKeys, [String: [String]]>)] = [
      ("ours", \.ours), ("inbox", \.inbox), ("whole", \.whole), ("silent", \.silent),
      ("privacy", \.privacy), ("refresh", \.refresh),
    ]
    let expected = conditions.map { name, path in
      row(name) { keys in
        keys[keyPath: path].sorted { $0.key < $1.key }.map { name, values in
          values.isEmpty ? "`\(name)`" : "`\(name)` is `\(values.joined(separator: "`, `"))`"
        }
      }
    }
    expect("Conditions", expected)
  }

  @Test func names_areThoseOfTheDocument() {
    let expected = PushField.allCases.map { field in
      row(field.rawValue) { keys in (keys.names[field] ?? []).map { "`\($0)`" } }
    }
    expect("Names", expected)
  }

  @Test func ownMembers_areThoseOfTheDocument() {
    let expected = [
      row("within") { keys in keys.custom.map { ["`\($0)`"] } ?? [] },
      row("hidden") { keys in keys.hidden.map { "`\($0)`" } },
    ]
    expect("The application's own members", expected)
  }

  @Test func kinds_areThoseOfTheDocument() {
    let rows = document.rows("Who calls the completion handler", columns: 1)
    #expect(rows == PushKind.allCases.map { "`\($0)`" })
  }

  private func row(_ name: String, _ cell: (PushKeys) -> [String]) -> String {
    ([name] + Self.presets.map { keys in cell(keys).joined(separator: ", ") })
      .map { $0.isEmpty ? "–" : $0 }.joined(separator: " | ")
  }

  private func expect(_ heading: String, _ expected: [String]) {
    let text = expected.map { "| \($0) |" }.joined(separator: "\n")
    #expect(document.rows(heading, columns: 4) == expected, "\(text)")
  }
}
