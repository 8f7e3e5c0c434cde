/// A problem of one page of a data file.
public struct PageProblem: Sendable, Hashable, CustomStringConvertible {
  /// The kind of problem.
  public enum What: Sendable, Hashable {
    /// A meta page is unusable for this reason; the other one is used.
    case meta(LMDBError.Code)
    /// Its number doesn't follow the other meta page's: either may be an old snapshot.
    case staleMeta
    /// Another page refers to it, but it lies after the last page that the meta page counts, or is
    /// a meta page.
    case outOfRange
    /// Another page refers to it, but it lies after the end of the file.
    case beyondEnd
    /// The system can't read it.
    case unreadable
    /// Its header contains the number of another page.
    case wrongNumber(UInt64)
    /// Its kind isn't allowed there.
    case wrongKind
    /// Its header leaves less or more than a page for its nodes.
    case bounds
    /// Its nodes overlap, leave gaps, or exceed the page.
    case layout
    /// It holds fewer nodes than a tree's page must.
    case tooFewNodes
    /// It holds a node of a kind that isn't allowed there.
    case nodeKind
    /// A key in it is too short, too long, or not an integer where it should be.
    case keySize
    /// Its keys don't ascend, or aren't between those of its parent.
    case keyOrder
    /// More than one page refers to it, or one page does twice.
    case shared
    /// It lies deeper than a cursor can descend, or at another depth than its tree states.
    case depth
    /// It begins a value that is longer than its pages.
    case overflowRun
    /// It is the root of a tree that states a wrong number of entries or pages.
    case counts
    /// It is in the free list, and in use.
    case freeAndUsed
    /// Neither a tree nor the free list refers to it.
    case leaked
    /// It is in the free list twice.
    case freeTwice
    /// It is in the free list, but can't be free.
    case notFree
    /// It holds a record of the free list that isn't a list of pages.
    case freeList
  }

  /// The number of the page, from 0.
  public let page: UInt64
  /// The kind of problem.
  public let what: What

  package init(page: UInt64, what: What) {
    self.page = page
    self.what = what
  }

  /// A clause with the page and the problem.
  public var description: String { "page \(page) \(what.clause)" }
}

extension PageProblem.What {
  /// The problem, as a predicate to the name of the page.
  var clause: String {
    switch self {
    case .meta(let code): "is not a usable meta page: \(code.meaning)"
    case .staleMeta: "is a meta page whose number does not follow the other's"
    case .outOfRange: "is referenced, but is not one of the tree's pages"
    case .beyondEnd: "is referenced, but lies beyond the end of the file"
    case .unreadable: "can't be read"
    case .wrongNumber(let number): "claims to be page \(number)"
    case .wrongKind: "is of the wrong kind"
    case .bounds: "places its nodes outside itself"
    case .layout: "has nodes that overlap or leave gaps"
    case .tooFewNodes: "holds too few nodes"
    case .nodeKind: "holds a node of the wrong kind"
    case .keySize: "holds a key of the wrong size"
    case .keyOrder: "has keys out of order"
    case .shared: "is referenced more than once"
    case .depth: "lies at the wrong depth"
    case .overflowRun: "begins a value of the wrong length"
    case .counts: "is the root of a tree whose counts are wrong"
    case .freeAndUsed: "is both free and in use"
    case .leaked: "is neither free nor in use"
    case .freeTwice: "is listed as free twice"
    case .notFree: "is listed as free, but can't be free"
    case .freeList: "holds an invalid list of free pages"
    }
  }
}

/// The first problems found, and the total number: bounded, however damaged a file is.
struct ProblemList: Sendable {
  static let limit = 1000

  private(set) var first: [PageProblem] = []
  private(set) var count = 0

  mutating func append(_ page: UInt64, _ what: PageProblem.What) {
    count += 1
    if first.count < Self.limit { first.append(PageProblem(page: page, what: what)) }
  }
}
