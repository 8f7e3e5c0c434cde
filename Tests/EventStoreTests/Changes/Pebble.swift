import EventStore
import Foundation

/// Toy rows, made once: every id with every content.
enum Pebble {
  static let color = Field<Int>("color", 1)
  static let label = Field<String>("label", 2)
  static let weight = Field<Int>("weight", 4)
  static let all = RowCollection("pebbles", number: 1, color, label, weight)

  static let idCount = 64
  static let contentCount = 8

  static let rows: [[Row]] = (0..<idCount).map { id in
    (0..<contentCount).map { row(id, content: $0) }
  }
  static let traces = rows.map { $0.map(RowTrace.init) }

  /// The difference between any two contents of a row, by id, old content, and new content.
  static let differences = rows.map { contents in
    contents.map { old in
      contents.map { RowDifference(from: RowTrace(old), to: $0) }
    }
  }

  /// For each old content, a difference in which every field counts as changed.
  static let wholeDifferences = traces.map { contents in
    contents.map { trace in
      let numbers = all.fields.map(\.number)
      return RowDifference(
        fields: FieldSet(numbers.map { FieldSet(field: $0) }),
        digests: numbers.map { trace.digests[$0 - 1] })
    }
  }

  /// Creates a row; each bit of its content is one field, so updates cover every set of fields.
  private static func row(_ id: Int, content: Int) -> Row {
    do {
      return try Row("pebble \(id)", in: all) { row in
        row[color] = content & 1 == 0 ? nil : 7
        row[label] = content & 2 == 0 ? "flat" : "round"
        row[weight] = content & 4
      }
    } catch {
      preconditionFailure("\(error)")
    }
  }
}

extension Position {
  /// Positions in the history of one store, by record number.
  static let samples: [Position] = (0..<128).map { number in
    let text = #"{"store":{"low":1,"high":2},"number":\#(number),"chain":\#(number * 7)}"#
    do {
      return try JSONDecoder().decode(Position.self, from: Data(text.utf8))
    } catch {
      preconditionFailure("\(error)")
    }
  }
}
