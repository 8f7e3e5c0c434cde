import BenchmarkHarness
import Testing

struct ArgumentsTests {
  @Test func nothing_runsEverythingAtTheRealSize() throws {
    #expect(try Arguments([]) == .run(Arguments.Options()))
  }

  @Test func everyOption_isRead() throws {
    var expected = Arguments.Options()
    expected.only = ["append", "scan"]
    expected.size = 12
    expected.rounds = 2
    expected.json = "a.json"
    expected.svg = "charts"
    expected.chart = "a.svg"
    let words =
      "--only append,scan --size 12 --rounds 2 --json a.json --svg charts --chart a.svg"
    #expect(try Arguments(words.split(separator: " ").map(String.init)) == .run(expected))
  }

  @Test func rounds_areAskedForOrTheWorkloads() throws {
    let short = Workload("a", "", smoke: 1, real: 2) { _ in [] }
    let long = Workload("a", "", smoke: 1, real: 2, rounds: 2) { _ in [] }
    var options = Arguments.Options()
    #expect([short, long].map(options.rounds(of:)) == [7, 2])
    options.smoke = true
    #expect(try Arguments(["--smoke"]) == .run(options))
    #expect([short, long].map(options.rounds(of:)) == [3, 2])
    options.rounds = 9
    #expect(try Arguments(["--rounds", "9", "--smoke"]) == .run(options))
    #expect([short, long].map(options.rounds(of:)) == [9, 9])
  }

  @Test func otherCommands_areTold() throws {
    #expect(try Arguments(["--list"]) == .list)
    #expect(try Arguments(["--smoke", "--help"]) == .help)
    #expect(try Arguments(["--role", "x", "--a"]) == .role(name: "x", arguments: ["--a"]))
  }

  @Test(arguments: [
    ["--fast"], ["append"], ["--only"], ["--only", "--smoke"], ["--size", "0"], ["--size", "-1"],
    ["--size", "many"], ["--rounds", ""], ["--rounds", "1.5"], ["--json"], ["--svg"], ["--chart"],
    ["--role"],
    ["--list", "--smoke"], ["--smoke", "--check"], ["--size", "9", "--check"],
    ["--smoke", "--size", "9"],
  ])
  func whatIsWrong_isToldInOneLine(words: [String]) {
    let mistake = #expect(throws: Arguments.Mistake.self) { try Arguments(words) }
    #expect(mistake?.description.contains("\n") == false)
    #expect(mistake?.description.hasSuffix(".") == true)
  }

  @Test func workloads_areChosenByNameInTheirOwnOrder() throws {
    let all = ["a", "b", "c"].map { Workload($0, "", smoke: 1, real: 2) { _ in [] } }
    var options = Arguments.Options()
    #expect(try options.chosen(from: all).map(\.name) == ["a", "b", "c"])
    options.only = ["c", "a"]
    #expect(try options.chosen(from: all).map(\.name) == ["a", "c"])
    options.only = ["c", "d"]
    let expected = Arguments.Mistake("There is no workload d; there are a, b, c.")
    #expect(throws: expected) { try options.chosen(from: all) }
  }

  @Test func size_isAskedForOrSmokeOrReal() {
    let workload = Workload("a", "", smoke: 1, real: 2) { _ in [] }
    var options = Arguments.Options()
    #expect(options.size(of: workload) == 2)
    options.smoke = true
    #expect(options.size(of: workload) == 1)
    options.size = 5
    #expect(options.size(of: workload) == 5)
  }
}
