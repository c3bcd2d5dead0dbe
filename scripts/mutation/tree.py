"""A copy of the project that may be changed, and its builds."""
import pathlib
import shutil
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
# From the bottom up.
MODULES = ["SQLite", "Scheduling", "RowStore", "CoreData"]


def copy(destination):
    """What git knows or would add, with its times, so that a build sees what changed."""
    shutil.rmtree(destination, ignore_errors=True)
    listed = subprocess.run(
        ["git", "ls-files", "-co", "--exclude-standard"], cwd=ROOT, check=True, capture_output=True, text=True)
    for file in listed.stdout.splitlines():
        if not (ROOT / file).is_file():
            continue
        (destination / file).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(ROOT / file, destination / file)


def build(tree, scratch, *what, configuration, check=True, jobs=None):
    """Builds a copy; the result has what was printed, which is shown where it is not asked for."""
    command = ["swift", "build", "--configuration", configuration, "--package-path", tree, "--scratch-path", scratch, *what]
    if jobs:
        command += ["--jobs", str(jobs)]
    if check:
        return subprocess.run(command, check=True, stdout=sys.stderr)
    return subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)


def sources(module, tree=ROOT):
    """The files of a module, relative to the project."""
    return sorted(str(path.relative_to(tree)) for path in (tree / "Sources" / module).rglob("*.swift"))


def emit_module(tree, module, modules):
    """Compiles a module as far as the last diagnosis, without code: seconds instead of minutes.

    The modules below it are taken from the folder `modules`, where this one is put.
    """
    modules.mkdir(parents=True, exist_ok=True)
    headers = tree / "Sources" / "CRuntime" / "include"
    (modules / "CRuntime.modulemap").write_text(
        f'module CRuntime {{ umbrella header "{headers}/CRuntime.h" export * }}\n')
    return subprocess.run(
        ["swiftc", "-emit-module", "-wmo", "-Onone", "-parse-as-library", "-module-name", module,
         "-o", modules / f"{module}.swiftmodule", "-package-name", "contextbench", "-swift-version", "6",
         "-enable-upcoming-feature", "ExistentialAny", "-suppress-warnings", "-I", modules,
         "-I", tree / "Sources" / "CSQLite", "-I", tree / "Sources" / "CZlib", "-Xcc", f"-I{headers}",
         "-Xcc", f"-fmodule-map-file={modules}/CRuntime.modulemap", *(tree / file for file in sources(module, tree))],
        capture_output=True, text=True)
