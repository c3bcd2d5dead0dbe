import Foundation
import Mutants

/// `mutate list ROOT FILE…` prints the mutants of the files below ROOT, as JSON, in an order that only the sources decide.
/// `mutate plant ROOT` reads planted mutants as JSON and writes them into the files below ROOT; it prints them with the lines
/// that they have there.
@main
enum Main {
  static func main() throws {
    let arguments = CommandLine.arguments
    switch arguments.count > 2 ? arguments[1] : "" {
    case "list":
      let mutants = try arguments[3...].sorted().flatMap {
        MutantFinder.mutants(in: try String(contentsOfFile: "\(arguments[2])/\($0)", encoding: .utf8), file: $0)
      }
      try write(mutants)
    case "plant":
      let input = FileHandle.standardInput.readDataToEndOfFile()
      let planted = try JSONDecoder().decode([PlantedMutant].self, from: input)
      var result: [PlantedMutant] = []
      for (file, mutants) in Dictionary(grouping: planted, by: \.mutant.file) {
        let path = "\(arguments[2])/\(file)"
        let mutated = Planting.plant(
          mutants.sorted { $0.number < $1.number }, in: try String(contentsOfFile: path, encoding: .utf8))
        try mutated.text.write(toFile: path, atomically: true, encoding: .utf8)
        result += mutated.planted
      }
      try write(result.sorted { $0.number < $1.number })
    case "reverse":
      let reversals = try arguments.dropFirst(4).map { file in
        Reversal(
          now: try String(contentsOfFile: "\(arguments[2])/\(file)", encoding: .utf8),
          before: try String(contentsOfFile: "\(arguments[3])/\(file)", encoding: .utf8), file: file)
      }
      try write(reversals)
    default:
      FileHandle.standardError.write(
        Data("usage: mutate list ROOT FILE… | mutate plant ROOT | mutate reverse ROOT FORMER FILE…\n".utf8))
      exit(64)
    }
  }

  private static func write(_ value: some Encodable) throws {
    FileHandle.standardOutput.write(try JSONEncoder().encode(value))
  }
}
