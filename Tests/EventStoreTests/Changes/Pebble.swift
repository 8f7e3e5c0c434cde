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

  /// What tells each content of a row from each other one, by the old and then the new.
  static let differences = rows.map { contents in
    contents.map { old in
      contents.map { RowDifference(from: RowTrace(old), to: $0) }
    }
  }

  /// All fields of each content, as if every one of them had changed.
  static let wholeDifferences = traces.map { contents in
    contents.map { trace in
      let numbers = all.fields.map(\.number)
      return RowDifference(
        fields: FieldSet(numbers.map { FieldSet(field: $0) }),
        digests: numbers.map { trace.digests[$0 - 1] })
    }
  }

  /// Each bit of a content is one field; so an update has any set of them.
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
  /// Places in the history of one store, by the number of the record.
  static let samples: [Position] = (0..<128).map { number in
    let text = #"{"store":{"low":1,"high":2},"number":\#(number),"chain":\#(number * 7)}"#
    do {
      return try JSONDecoder().decode(Position.self, from: Data(text.utf8))
    } catch {
      preconditionFailure("\(error)")
    }
  }
}
