import Foundation
import TestSupport
import Testing

/// Misuse that the compiler must reject: each snippet breaks one promise of the types.
///
/// Together they take over a second because each one starts the compiler.
@Suite struct CompileTimeTests {
  struct Misuse: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let diagnostic: String
    let body: String
  }

  /// Without this test, a snippet rejected for the wrong reason would look like a proof.
  @Test func properUse_compiles() throws {
    let diagnostics = try compile(
      """
      func use() throws {
        let reading = try environment.beginReading()
        if let span = try reading.bytes(for: 1, in: table) { print(span.byteCount) }
        var cursor = try reading.cursor(over: table)
        while try cursor.next() { print(cursor.key.byteCount) }
        var writing = try environment.beginWriting()
        var room = try writing.reserve(8, for: 1, in: table)
        room.storeBytes(of: 1, as: UInt64.self)
        try writing.put([1], for: 2, in: table)
        try writing.commit()
      }
      func useTyped() throws(LMDBError) -> Int {
        try environment.write { transaction throws(LMDBError) in
          try transaction.put([1], for: 2, in: table)
        }
        return try environment.read { transaction throws(LMDBError) in
          try transaction.count(of: table)
        }
      }
      func useAsynchronously() async throws {
        try environment.write { if $0.id > 9 { throw CancellationError() } }
        try await Task.sleep(for: .seconds(1))
      }
      """)
    #expect(diagnostics == "")
  }

  @Test func exampleOfTheDocumentation_compiles() throws {
    let page = try String(
      contentsOfFile: "\(Compiler.root)/Sources/LMDB/LMDB.docc/LMDB.md", encoding: .utf8)
    let example = page.components(separatedBy: "```swift\n").dropFirst().first
    let code = try #require(example?.components(separatedBy: "```").first)
    #expect(try Compiler.diagnostics(of: #"let folder = "visits";"# + code, to: .lifetimes) == "")
  }

  @Test(arguments: misuses) func misuse_isRefused(_ misuse: Misuse) throws {
    let diagnostics = try compile(misuse.body)
    #expect(diagnostics.contains("error: \(misuse.diagnostic)"), "\(diagnostics)")
  }

  private static let misuses = [
    Misuse(
      testDescription: "a span outlives its transaction",
      diagnostic: "lifetime-dependent variable 'span' escapes its scope",
      body: """
        func use() throws {
          var span: RawSpan? = nil
          do {
            let transaction = try environment.beginReading()
            span = try transaction.bytes(for: 1, in: table)
          }
          print(span?.byteCount ?? 0)
        }
        """),
    Misuse(
      testDescription: "a span outlives a change",
      diagnostic: "overlapping accesses to 'transaction', but modification requires",
      body: """
        func use() throws {
          var transaction = try environment.beginWriting()
          let span = try transaction.bytes(for: 1, in: table)
          try transaction.put([1], for: 1, in: table)
          print(span?.byteCount ?? 0)
        }
        """),
    Misuse(
      testDescription: "a reserved place outlives a change",
      diagnostic: "overlapping accesses to 'transaction', but modification requires",
      body: """
        func use() throws {
          var transaction = try environment.beginWriting()
          var room = try transaction.reserve(8, for: 1, in: table)
          try transaction.put([1], for: 2, in: table)
          room.storeBytes(of: 1, as: UInt64.self)
        }
        """),
    Misuse(
      testDescription: "a cursor's span outlives its next move",
      diagnostic: "overlapping accesses to 'cursor', but modification requires",
      body: """
        func use() throws {
          let transaction = try environment.beginReading()
          var cursor = try transaction.cursor(over: table)
          let key = cursor.key
          _ = try cursor.next()
          print(key.byteCount)
        }
        """),
    Misuse(
      testDescription: "a cursor outlives its transaction",
      diagnostic: "noncopyable 'transaction' cannot be consumed when",
      body: """
        func use() throws {
          let transaction = try environment.beginWriting()
          var cursor = try transaction.cursor(over: table)
          try transaction.commit()
          print(try cursor.next())
        }
        """),
    Misuse(
      testDescription: "a transaction is used after its commit",
      diagnostic: "'transaction' used after consume",
      body: """
        func use() throws {
          var transaction = try environment.beginWriting()
          try transaction.commit()
          try transaction.put([1], for: 1, in: table)
        }
        """),
    Misuse(
      testDescription: "a transaction is begun in asynchronous code",
      diagnostic: "instance method 'beginReading' is unavailable from asynchronous contexts",
      body: """
        func use() async throws {
          let transaction = try environment.beginReading()
          await Task.yield()
          print(transaction.id)
        }
        """),
    Misuse(
      testDescription: "a transaction is held across an await",
      diagnostic: "cannot pass function of type '(borrowing ReadTransaction) async -> ()'",
      body: """
        func use() async throws {
          try environment.read { transaction in
            await Task.yield()
            print(transaction.id)
          }
        }
        """),
    Misuse(
      testDescription: "a transaction is copied",
      diagnostic: "'copy' cannot be applied to noncopyable types",
      body: """
        func use() throws {
          let transaction = try environment.beginReading()
          print((copy transaction).id)
        }
        """),
    Misuse(
      testDescription: "a transaction is stored",
      diagnostic: "the '_read' accessor cannot return a ~Escapable result",
      body: """
        final class Holder {
          var transaction: ReadTransaction
          init(_ environment: Environment) throws { transaction = try environment.beginReading() }
        }
        """),
    Misuse(
      testDescription: "a transaction is returned",
      diagnostic: "a method cannot return a ~Escapable result",
      body: """
        func use() throws -> WriteTransaction { try environment.beginWriting() }
        """),
    Misuse(
      testDescription: "a transaction goes to another thread",
      diagnostic: "capture of 'transaction' with non-Sendable type 'ReadTransaction'",
      body: """
        func use() throws -> @Sendable () -> UInt64 {
          let transaction = try environment.beginReading()
          return { transaction.id }
        }
        """),
  ]

  /// Compiles a body that can use an environment and a table.
  private func compile(_ body: String) throws -> String {
    let prologue = """
      import LMDB
      struct Use {
        let environment: Environment
        let table: Table<UInt64, [UInt8]>

      """
    return try Compiler.diagnostics(of: prologue + body + "}", to: .lifetimes)
  }
}
