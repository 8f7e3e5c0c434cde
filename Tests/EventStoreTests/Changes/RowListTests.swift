import EventStore
import Foundation
import TestSupport
import Testing

@Suite struct RowListTests {
  private static let rows = (0..<200).map { Pebble.rows[$0 % Pebble.idCount][$0 % 8] }

  /// Returns a list of the same rows in different nodes.
  private static func grown(_ rows: [Row]) -> RowList {
    var tree = CountedTree<Row>()
    for row in rows.reversed() { tree.insert(row, at: 0) }
    return RowList(tree)
  }

  @Test func rows_areThoseThatWentIn() {
    for count in [0, 1, 5, 6, 7, 64, 200] {
      let list = RowList(Self.rows.prefix(count))
      #expect(list.count == count)
      #expect(Array(list) == Array(Self.rows.prefix(count)))
      #expect(list.indices.map { list[$0] } == Array(Self.rows.prefix(count)))
    }
  }

  @Test func equality_dependsOnRowsAlone() {
    for count in [0, 1, 7, 50, 200] {
      let rows = Array(Self.rows.prefix(count))
      let (built, grown) = (RowList(rows), Self.grown(rows))
      #expect(built == grown)
      #expect(built.hashValue == grown.hashValue)
      for index in rows.indices {
        var other = rows
        other[index] = Pebble.rows[index % Pebble.idCount][(index + 1) % 8]
        #expect(built != RowList(other))
        #expect(grown != RowList(other))
      }
    }
    #expect(RowList(Self.rows) != RowList(Self.rows.dropLast()))
  }

  @Test func coding_givesTheSameRows() throws {
    let list = Self.grown(Self.rows)
    let data = try JSONEncoder().encode(list)
    #expect(data == (try JSONEncoder().encode(Self.rows)))
    #expect(try JSONDecoder().decode(RowList.self, from: data) == list)
  }
}
