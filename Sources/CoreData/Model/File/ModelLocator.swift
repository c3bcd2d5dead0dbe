import RowStore

/// Finds models among the resources of the process.
enum ModelLocator {
  /// In the order in which they are looked for.
  private static let extensions = ["momd", "mom", "xcdatamodeld", "xcdatamodel"]

  /// The model called `name` in the main bundle, beside the executable, or in the `.resources` folders there, as the package
  /// manager makes them.
  static func find(_ name: String) throws(ModelFileError) -> ModelFile {
    let folders = folders(of: [Bundle.main])
    var failure: ModelFileError?
    for folder in folders {
      for extensionName in extensions {
        let path = "\(folder)/\(name).\(extensionName)"
        guard FileManager.default.fileExists(atPath: path) else { continue }
        do throws(ModelFileError) {
          return try ModelFile(path)
        } catch {
          // A compiled model may lie beside its source.
          failure = failure ?? error
        }
      }
    }
    if let failure { throw failure }
    throw ModelFileError(
      name,
      "there is no \(name).momd, .mom, .xcdatamodeld or .xcdatamodel in \(folders.joined(separator: ", ")); add it to the "
        + "target's resources with .copy, or make the model in code",
      isMissing: true)
  }

  /// Every model among the resources of the bundles, by path; of a model and its compiled form, the latter.
  static func all(in bundles: [Bundle]) -> [String] {
    folders(of: bundles).flatMap { folder in
      let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
      var found: [String: String] = [:]
      for extensionName in extensions {
        for name in names where name.hasSuffix(".\(extensionName)") {
          let stem = String(name.dropLast(extensionName.count + 1))
          if found[stem] == nil { found[stem] = name }
        }
      }
      return found.values.sorted().map { "\(folder)/\($0)" }
    }
  }

  private static var executableFolder: String? {
    let executable = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
    return executable.map { ($0 as NSString).deletingLastPathComponent }
  }

  /// Whether it is the main bundle, or the bundle of a class, which on Linux is the executable's or the test bundle beside it.
  private static func isOfProcess(_ bundle: Bundle) -> Bool {
    if bundle === Bundle.main || bundle.bundlePath == Bundle.main.bundlePath { return true }
    guard !bundle.bundlePath.hasSuffix(".resources"), let executableFolder else { return false }
    return [bundle.bundlePath, (bundle.bundlePath as NSString).deletingLastPathComponent].contains(executableFolder)
  }

  /// The folders with the bundles' resources; with the main bundle, also the folder of the executable.
  static func folders(of bundles: [Bundle]) -> [String] {
    var folders: [String] = []
    var own: Set<String> = []
    func add(_ path: String?) {
      guard let path, !folders.contains(path) else { return }
      var isFolder: ObjCBool = false
      if FileManager.default.fileExists(atPath: path, isDirectory: &isFolder), isFolder.boolValue {
        folders.append(path)
      }
    }
    for bundle in bundles {
      add(bundle.resourcePath)
      add(bundle.bundlePath)
      guard isOfProcess(bundle) else { continue }
      own.formUnion([bundle.resourcePath, bundle.bundlePath, executableFolder].compactMap { $0 })
      add(executableFolder)
    }
    // The package manager puts the resources of the executable's targets there; another bundle's neighbours are none of its own.
    for folder in folders where own.contains(folder) {
      let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
      for name in names.sorted() where name.hasSuffix(".resources") { add("\(folder)/\(name)") }
    }
    return folders
  }
}
