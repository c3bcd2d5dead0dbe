/// A model on disk: an `.xcdatamodeld` with its versions, or one `.xcdatamodel`.
package struct ModelFile: Sendable {
  /// One version of the model.
  package struct Version: Sendable {
    /// The folder's name without its extension.
    package let name: String
    /// Path of the XML.
    package let path: String
  }

  /// Where it was looked for.
  package let path: String
  /// By name.
  package let versions: [Version]
  /// The version that is used unless another is asked for.
  package let current: Version

  /// Finds the versions of the model at `path`: an `.xcdatamodeld` folder, an `.xcdatamodel` folder, or the XML in it.
  package init(_ path: String) throws(ModelFileError) {
    let path = path.count > 1 && path.hasSuffix("/") ? String(path.dropLast()) : path
    self.path = path
    var isFolder: ObjCBool = false
    guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) else {
      throw ModelFileError(path, "there is no such file or folder", isMissing: true)
    }
    let extensionName = (path as NSString).pathExtension
    if extensionName == "momd" || extensionName == "mom" {
      throw ModelFileError(
        path, "is a compiled model, which is not read; give the .xcdatamodeld or .xcdatamodel that it was made of")
    }
    guard isFolder.boolValue else {
      // The XML lies in a folder that has the name.
      let folder = ((path as NSString).deletingLastPathComponent as NSString).lastPathComponent as NSString
      let isInFolder = folder.pathExtension == "xcdatamodel"
      let name =
        isInFolder
        ? folder.deletingPathExtension : ((path as NSString).lastPathComponent as NSString).deletingPathExtension
      current = Version(name: name, path: path)
      versions = [current]
      return
    }
    if FileManager.default.fileExists(atPath: path + "/contents") {
      current = Self.version(folder: path)
      versions = [current]
      return
    }
    let names = try Self.list(path)
    versions = names.filter { $0.hasSuffix(".xcdatamodel") }.sorted().map { Self.version(folder: path + "/" + $0) }
    if versions.isEmpty {
      throw ModelFileError(
        path,
        names.contains("elements")
          ? "is a model of an old format; open it with Xcode 4 or later and save it"
          : "has no file \"contents\" and no .xcdatamodel; it is no model")
    }
    current = try Self.current(of: versions, in: path)
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

  /// The version that `.xccurrentversion` names; without that file the only one, or the one with the model's name.
  private static func current(of versions: [Version], in folder: String) throws(ModelFileError) -> Version {
    let path = folder + "/.xccurrentversion"
    if let data = FileManager.default.contents(atPath: path) {
      let plist = try? PropertyListSerialization.propertyList(from: data, format: nil) as? [String: Any]
      guard let name = plist?["_XCCurrentVersionName"] as? String else {
        throw ModelFileError(path, "is no property list with the key _XCCurrentVersionName")
      }
      guard let version = versions.first(where: { $0.name + ".xcdatamodel" == name || $0.name == name }) else {
        let known = versions.map(\.name).joined(separator: ", ")
        throw ModelFileError(path, "names the version \(name), which is not there; there are \(known)")
      }
      return version
    }
    let ownName = ((folder as NSString).lastPathComponent as NSString).deletingPathExtension
    if let only = versions.count == 1 ? versions[0] : versions.first(where: { $0.name == ownName }) { return only }
    throw ModelFileError(
      folder, "has \(versions.count) versions and no .xccurrentversion that says which one is used; give one of them")
  }

  /// The version of that name.
  package func version(_ name: String) throws(ModelFileError) -> Version {
    if let version = versions.first(where: { $0.name == name }) { return version }
    throw ModelFileError(
      path, "has no version \(name); there are \(versions.map(\.name).joined(separator: ", "))", isMissing: true)
  }
}
