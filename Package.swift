// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "Tideline",
  platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
  products: [
    .library(name: "LMDB", targets: ["LMDB"]),
    .library(name: "EventStore", targets: ["EventStore"]),
    .library(name: "Tideline", targets: ["Tideline"]),
    .library(name: "TidelineSync", targets: ["TidelineSync"]),
    .library(name: "TidelineReplay", targets: ["TidelineReplay"]),
    .library(name: "TidelineHTTP", targets: ["TidelineHTTP"]),
    .library(name: "TidelineSimulator", targets: ["TidelineSimulator"]),
    .executable(name: "tideline", targets: ["TidelineCommand"]),
  ],
  traits: [
    .trait(
      name: "Curl",
      description: "Speaks to servers through libcurl on Linux, where URLSession spins as it waits."
    ),
    .default(enabledTraits: ["Curl"]),
  ],
  targets: [
    .systemLibrary(
      name: "CLMDB", pkgConfig: "lmdb", providers: [.apt(["liblmdb-dev"]), .brew(["lmdb"])]),
    .target(name: "CPlatform"),
    .target(name: "LMDB", dependencies: ["CLMDB", "CPlatform"]),
    .target(name: "EventStore", dependencies: ["LMDB"]),
    .target(name: "Tideline", dependencies: ["EventStore"]),
    .target(name: "TidelineReplay", dependencies: ["EventStore", "LMDB", "Tideline"]),
    .target(name: "TidelineSync", dependencies: ["EventStore", "LMDB", "Tideline"]),
    .systemLibrary(
      name: "CCurl", pkgConfig: "libcurl", providers: [.apt(["libcurl4-openssl-dev"])]),
    .target(
      name: "TidelineHTTP",
      dependencies: [
        "EventStore", "LMDB", "Tideline", "TidelineSync",
        .target(name: "CCurl", condition: .when(platforms: [.linux], traits: ["Curl"])),
      ]),
    .target(name: "TidelineSimulator", dependencies: ["EventStore", "Tideline", "TidelineSync"]),
    .target(name: "Pictures"),
    .target(name: "CProcesses"),
    .target(name: "Processes", dependencies: ["CProcesses", "LMDB"]),
    .systemLibrary(
      name: "CMicroHTTPD", pkgConfig: "libmicrohttpd",
      providers: [.apt(["libmicrohttpd-dev"]), .brew(["libmicrohttpd"])]),
    .target(
      name: "TidelineServer",
      dependencies: [
        "CMicroHTTPD", "EventStore", "Tideline", "TidelineHTTP", "TidelineSimulator",
        "TidelineSync",
      ]),
    .executableTarget(
      name: "TidelineCommand",
      dependencies: [
        "EventStore", "LMDB", "Pictures", "Processes", "Tideline", "TidelineHTTP",
        "TidelineReplay", "TidelineServer", "TidelineSimulator", "TidelineSync",
      ]),

    .target(name: "CAllocations", path: "Benchmarks/CAllocations"),
    .systemLibrary(
      name: "CSQLite", path: "Benchmarks/CSQLite", pkgConfig: "sqlite3",
      providers: [.apt(["libsqlite3-dev"]), .brew(["sqlite"])]),
    .target(name: "BenchmarkHarness", dependencies: ["Pictures"], path: "Benchmarks/Harness"),
    .target(name: "BenchmarkPeers", dependencies: ["CSQLite"], path: "Benchmarks/Peers"),
    .executableTarget(
      name: "Benchmarks",
      dependencies: [
        "BenchmarkHarness", "BenchmarkPeers", "CAllocations", "CLMDB", "EventStore", "LMDB",
        "Processes", "Tideline", "TidelineHTTP", "TidelineReplay", "TidelineServer",
        "TidelineSimulator", "TidelineSync",
      ],
      path: "Benchmarks", exclude: ["CAllocations", "CSQLite", "Harness", "Peers"]),

    .target(name: "TestSupport", dependencies: ["Processes"], path: "Tests/TestSupport"),
    .executableTarget(name: "LMDBWorker", dependencies: ["LMDB"], path: "Tests/LMDBWorker"),
    .testTarget(
      name: "LMDBTests", dependencies: ["CLMDB", "LMDB", "LMDBWorker", "Processes", "TestSupport"]),
    .testTarget(name: "ProcessesTests", dependencies: ["Processes", "TestSupport"]),
    .executableTarget(
      name: "LogWorker", dependencies: ["EventStore", "LMDB", "TestSupport", "ToyDomains"],
      path: "Tests/LogWorker"),
    .target(
      name: "ToyDomains", dependencies: ["EventStore", "LMDB", "TestSupport"],
      path: "Tests/ToyDomains"),
    .executableTarget(
      name: "StoreWorker", dependencies: ["EventStore", "LMDB", "TestSupport", "ToyDomains"],
      path: "Tests/StoreWorker"),
    .testTarget(
      name: "EventStoreTests",
      dependencies: [
        "EventStore", "LMDB", "LogWorker", "Processes", "StoreWorker", "TestSupport", "ToyDomains",
      ]),
    .executableTarget(
      name: "PushWorker", dependencies: ["EventStore", "Tideline"], path: "Tests/PushWorker"),
    .target(
      name: "InboxHistories", dependencies: ["EventStore", "TestSupport", "Tideline"],
      path: "Tests/InboxHistories"),
    .testTarget(
      name: "TidelineTests",
      dependencies: [
        "EventStore", "InboxHistories", "Processes", "PushWorker", "TestSupport", "Tideline",
        "TidelineSync",
      ]),
    .testTarget(
      name: "TidelineReplayTests",
      dependencies: ["EventStore", "InboxHistories", "TestSupport", "Tideline", "TidelineReplay"]),
    .executableTarget(
      name: "SeedRunner", dependencies: ["InboxHistories", "TestSupport", "TidelineSimulator"],
      path: "Tests/SeedRunner"),
    .testTarget(
      name: "TidelineSimulatorTests",
      dependencies: ["EventStore", "TestSupport", "Tideline", "TidelineSimulator", "TidelineSync"]),
    .testTarget(
      name: "TidelineHTTPTests",
      dependencies: ["EventStore", "TestSupport", "Tideline", "TidelineHTTP", "TidelineSync"]),
    .testTarget(
      name: "TidelineServerTests",
      dependencies: [
        "EventStore", "TestSupport", "Tideline", "TidelineHTTP", "TidelineServer",
        "TidelineSimulator", "TidelineSync",
      ]),
    .testTarget(
      name: "CommandTests",
      dependencies: [
        "EventStore", "LMDB", "Processes", "TestSupport", "Tideline", "TidelineCommand",
        "TidelineReplay", "TidelineServer",
      ]),
    .testTarget(
      name: "BenchmarkTests",
      dependencies: ["BenchmarkHarness", "BenchmarkPeers", "EventStore", "TestSupport"]),
    .executableTarget(
      name: "ReadmeProgram", dependencies: ["EventStore", "Tideline"],
      path: "Tests/ReadmeProgram"),
    .testTarget(
      name: "SampleTests",
      dependencies: [
        "EventStore", "LMDB", "ReadmeProgram", "TestSupport", "Tideline", "TidelineHTTP",
        "TidelineServer", "TidelineSimulator", "TidelineSync",
      ]),
    .testTarget(name: "RepositoryTests"),
  ],
  swiftLanguageModes: [.v6]
)

// A program preloads the recorder of the power-loss tests, which only Linux allows.
#if os(Linux)
  package.targets += [
    .target(
      name: "PowerLossSupport", dependencies: ["EventStore", "LMDB", "TestSupport"],
      path: "Tests/PowerLossSupport"),
    .executableTarget(
      name: "CRawWorkload", dependencies: ["CLMDB"], path: "Tests/CRawWorkload"),
    .executableTarget(
      name: "SpoolWorkload", dependencies: ["EventStore", "LMDB", "PowerLossSupport"],
      path: "Tests/SpoolWorkload"),
    .executableTarget(
      name: "LogWorkload", dependencies: ["EventStore", "LMDB", "PowerLossSupport"],
      path: "Tests/LogWorkload"),
    .executableTarget(
      name: "DrainWorkload", dependencies: ["EventStore", "LMDB", "PowerLossSupport"],
      path: "Tests/DrainWorkload"),
    .executableTarget(
      name: "ViewsWorkload", dependencies: ["EventStore", "LMDB", "PowerLossSupport"],
      path: "Tests/ViewsWorkload"),
    .executableTarget(
      name: "StoreWorkload",
      dependencies: ["EventStore", "LMDB", "PowerLossSupport", "TestSupport", "ToyDomains"],
      path: "Tests/StoreWorkload"),
    .testTarget(name: "PowerLossTests", dependencies: ["PowerLossSupport", "TestSupport"]),
  ]
#endif

/// Modules that return borrowed spans, and therefore need lifetime annotations.
let lending: Set = ["LMDB", "EventStore", "Tideline", "TidelineHTTP"]

for target in package.targets where target.type != .system && !target.name.hasPrefix("C") {
  var settings: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("ImmutableWeakCaptures"),
    .enableUpcomingFeature("InferIsolatedConformances"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
    .treatAllWarnings(as: .error),
  ]
  if target.type != .test { settings.append(.strictMemorySafety()) }
  if lending.contains(target.name) { settings.append(.enableExperimentalFeature("Lifetimes")) }
  target.swiftSettings = settings
}
