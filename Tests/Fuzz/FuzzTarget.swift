/// Something that reads input.
protocol FuzzTarget {
  associatedtype Input

  /// The input of a case.
  func input(_ generator: inout FuzzGenerator) -> Input
  /// Reads the input; must neither crash nor hang.
  func run(_ input: Input, _ generator: inout FuzzGenerator) -> FuzzOutcome
  /// One line that shows the input.
  func description(of input: Input) -> String
}

/// How a case ended.
enum FuzzOutcome {
  /// The input made sense.
  case read
  /// There was an error that says why not.
  case refused
  /// The answer contradicts itself.
  case wrong(String)
}

/// Random numbers of one case.
struct FuzzGenerator: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64, number: Int) {
    state = seed &* 0x9E37_79B9_7F4A_7C15 &+ UInt64(number) &* 0xD1B5_4A32_D192_ED03
  }

  /// SplitMix64.
  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }

  mutating func below(_ limit: Int) -> Int { Int.random(in: 0..<limit, using: &self) }

  mutating func oneIn(_ limit: Int) -> Bool { below(limit) == 0 }

  mutating func element<Element>(_ elements: [Element]) -> Element { elements[below(elements.count)] }
}
