import RowStore

/// A model on disk: an `.xcdatamodeld` with its versions or one `.xcdatamodel`, or compiled by Apple's tools, a `.momd` with
/// its versions or one `.mom`.
package struct ModelFile: Sendable {
  /// One version of the model.
  package struct Version: Sendable {
    /// The name of its folder or file without the extension.
    package let name: String
    /// Path of the XML, or of the compiled model.
    package let path: String
  }

  /// Where it was looked for.
  package let path: String
  /// By name, numbers in names by their values.
  package let versions: [Version]
  private let currentVersion: Result<Version, ModelFileError>

  /// The version that is used unless another is asked for.
  package var current: Version {
    get throws(ModelFileError) { try currentVersion.get() }
  }

  /// Its name; nil where nothing says which version that is.
  package var currentName: String? { (try? current)?.name }

  /// Finds the versions of the model at `path`: an `.xcdatamodeld` folder, an `.xcdatamodel` folder or the XML in it; a
  /// `.momd` folder, a `.mom`, or the `.omo` beside one.
  package init(_ path: String) throws(ModelFileError) {
    let path = path.count > 1 && path.hasSuffix("/") ? String(path.dropLast()) : path
    self.path = path
    var isFolder: ObjCBool = false
    guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) else {
      throw ModelFileError(path, "there is no such file or folder", isMissing: true)
    }
    guard isFolder.boolValue else {
      let only = Self.version(file: path)
      currentVersion = .success(only)
      versions = [only]
      return
    }
    if FileManager.default.fileExists(atPath: path + "/contents") {
      let only = Self.version(folder: path)
      currentVersion = .success(only)
      versions = [only]
      return
    }
    let names = try Self.list(path)
    let compiled = Self.sorted(names.filter { $0.hasSuffix(".mom") }).map { Self.version(file: path + "/" + $0) }
    let sources = Self.sorted(names.filter { $0.hasSuffix(".xcdatamodel") }).map {
      Self.version(folder: path + "/" + $0)
    }
    let found = compiled.isEmpty ? sources : compiled
    versions = found
    if found.isEmpty { throw ModelFileError(path, Self.reason(names)) }
    let isCompiled = !compiled.isEmpty
    currentVersion = Result { () throws(ModelFileError) -> Version in
      try isCompiled ? Self.currentCompiled(of: found, in: path) : Self.current(of: found, in: path)
    }
  }

  /// Why a folder is no model.
  private static func reason(_ names: [String]) -> String {
    if names.contains("elements") || names.contains("layout") {
      return "is a model of an old binary format; open it with Xcode 4 or later and save it"
    }
    if names.contains(where: { $0.hasSuffix(".omo") }) {
      return "has only optimised models (.omo), which are not read; give the .mom or the .xcdatamodeld"
    }
    return "has no file \"contents\", no .xcdatamodel and no .mom; it is no model"
  }

  /// `Model 2` before `Model 10`.
  private static func sorted(_ names: [String]) -> [String] {
    names.sorted { name, other in
      let (left, right) = ((name as NSString).deletingPathExtension, (other as NSString).deletingPathExtension)
      let order = left.compare(right, options: [.caseInsensitive, .numeric])
      return order == .orderedSame ? left < right : order == .orderedAscending
    }
  }

  /// A file is the XML, which lies in a folder that has the name, or a compiled model.
  private static func version(file path: String) -> Version {
    let file = path as NSString
    if file.pathExtension == "omo" {
      // It has the contents of the file beside it, in a form that is not documented.
      let plain = file.deletingPathExtension + ".mom"
      if FileManager.default.fileExists(atPath: plain) { return version(file: plain) }
    }
    let folder = (file.deletingLastPathComponent as NSString).lastPathComponent as NSString
    let name = folder.pathExtension == "xcdatamodel" ? folder : file.lastPathComponent as NSString
    return Version(name: name.deletingPathExtension, path: path)
  }

  private static func version(folder: String) -> Version {
    Version(
      name: ((folder as NSString).lastPathComponent as NSString).deletingPathExtension, path: folder + "/contents")
  }

  private static func list(_ folder: String) throws(ModelFileError) -> [String] {
    do {
      return try FileManager.default.contentsOfDirectory(atPath: folder)
    } catch {
      throw ModelFileError(folder, "cannot be read: \(error.localizedDescription)")
    }
  }

  /// The version that `VersionInfo.plist` names; without that the newest.
  private static func currentCompiled(of versions: [Version], in folder: String) throws(ModelFileError) -> Version {
    let path = folder + "/VersionInfo.plist"
    guard let data = FileManager.default.contents(atPath: path) else { return try fallback(of: versions, in: folder) }
    guard let plist = BinaryPropertyList.dictionary(data) else { throw ModelFileError(path, "is no property list") }
    guard let name = plist["NSManagedObjectModel_CurrentVersionName"] as? String else {
      return try fallback(of: versions, in: folder)
    }
    return try version(name, of: versions, namedIn: path)
  }

  private static func version(
    _ name: String, of versions: [Version], namedIn path: String
  ) throws(ModelFileError) -> Version {
    if let version = versions.first(where: { $0.name + ".xcdatamodel" == name || $0.name == name }) { return version }
    let known = versions.map(\.name).joined(separator: ", ")
    throw ModelFileError(path, "names the version \(name), which is not there; there are \(known)")
  }

  /// The version that `.xccurrentversion` names; where that says nothing the newest.
  private static func current(of versions: [Version], in folder: String) throws(ModelFileError) -> Version {
    let path = folder + "/.xccurrentversion"
    // Projects of one version may have an empty file, or an empty list.
    if let data = FileManager.default.contents(atPath: path), !data.allSatisfy({ $0 <= UInt8(ascii: " ") }) {
      let plist = BinaryPropertyList.dictionary(data)
      guard let plist else { throw ModelFileError(path, "is no property list") }
      if let name = plist["_XCCurrentVersionName"] as? String { return try version(name, of: versions, namedIn: path) }
    }
    return try fallback(of: versions, in: folder)
  }

  /// The newest in Xcode's order, which its compiler takes where nothing says which one is current.
  private static func fallback(of versions: [Version], in folder: String) throws(ModelFileError) -> Version {
    guard let newest = versions.last else { throw ModelFileError(folder, "has no version") }
    if versions.count > 1 {
      Warning.write(
        "\(folder) says of none of its \(versions.count) versions that it is current; \(newest.name) is taken.")
    }
    return newest
  }

  /// The version of that name.
  package func version(_ name: String) throws(ModelFileError) -> Version {
    if let version = versions.first(where: { $0.name == name }) { return version }
    throw ModelFileError(
      path, "has no version \(name); there are \(versions.map(\.name).joined(separator: ", "))", isMissing: true)
  }
}
