/// Something wrong with one page of a data file.
public struct PageProblem: Sendable, Hashable, CustomStringConvertible {
  /// What is wrong.
  public enum What: Sendable, Hashable {
    /// A meta page is unusable for this reason; the other one serves.
    case meta(LMDBError.Code)
    /// It has a number that does not follow the other meta page's: either may be an old snapshot.
    case staleMeta
    /// A page names it that lies after the last page the meta page counts, or is a meta page.
    case outOfRange
    /// A page names it that lies after the end of the file.
    case beyondEnd
    /// The system could not read it.
    case unreadable
    /// Its header holds the number of another page.
    case wrongNumber(UInt64)
    /// It is of a kind that has no place there.
    case wrongKind
    /// Its header leaves less or more than a page for its nodes.
    case bounds
    /// Its nodes overlap, leave gaps, or leave the page.
    case layout
    /// It holds fewer nodes than a page of a tree may.
    case tooFewNodes
    /// A node of it is of a kind that has no place there.
    case nodeKind
    /// A key in it is too short, too long, or not an integer where it should be.
    case keySize
    /// Its keys do not ascend, or not between those of its parent.
    case keyOrder
    /// More than one page names it, or one does twice.
    case shared
    /// It lies deeper than a cursor can descend, or not as deep as its tree says.
    case depth
    /// It begins a value that is longer than the pages it has.
    case overflowRun
    /// It is the root of a tree that counts other entries or pages than there are.
    case counts
    /// It is free by the free list, and in use.
    case freeAndUsed
    /// No tree leads to it, and the free list lacks it.
    case leaked
    /// The free list holds it twice.
    case freeTwice
    /// The free list holds it, and it is none that can be free.
    case notFree
    /// A record of the free list on it is no list of pages.
    case freeList
  }

  /// The number of the page, from 0.
  public let page: UInt64
  /// What is wrong with it.
  public let what: What

  package init(page: UInt64, what: What) {
    self.page = page
    self.what = what
  }

  /// One clause that names the page and the problem.
  public var description: String { "page \(page) \(what.clause)" }
}

extension PageProblem.What {
  /// What is wrong, to follow the name of the page.
  var clause: String {
    switch self {
    case .meta(let code): "is no usable meta page: \(code.meaning)"
    case .staleMeta: "is a meta page whose number does not follow the other's"
    case .outOfRange: "is named by another, but is not one of the tree's pages"
    case .beyondEnd: "is named by another, but lies beyond the end of the file"
    case .unreadable: "can't be read"
    case .wrongNumber(let number): "says that it is page \(number)"
    case .wrongKind: "is of the wrong kind"
    case .bounds: "says that its nodes lie outside of it"
    case .layout: "has nodes that overlap or leave gaps"
    case .tooFewNodes: "holds too few nodes"
    case .nodeKind: "holds a node of the wrong kind"
    case .keySize: "holds a key of the wrong size"
    case .keyOrder: "has keys out of order"
    case .shared: "is named more than once"
    case .depth: "lies at the wrong depth"
    case .overflowRun: "does not begin as long a value as it should"
    case .counts: "is the root of a tree with other counts than it says"
    case .freeAndUsed: "is both free and in use"
    case .leaked: "is neither free nor in use"
    case .freeTwice: "is listed as free twice"
    case .notFree: "is listed as free, but is no page that can be"
    case .freeList: "holds a list of free pages that is none"
    }
  }
}

/// The first problems found, and how many there were: bounded, however damaged a file is.
struct ProblemList: Sendable {
  static let limit = 1000

  private(set) var first: [PageProblem] = []
  private(set) var count = 0

  mutating func append(_ page: UInt64, _ what: PageProblem.What) {
    count += 1
    if first.count < Self.limit { first.append(PageProblem(page: page, what: what)) }
  }
}
