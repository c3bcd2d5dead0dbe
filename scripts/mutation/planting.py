"""Machine-made mutants: finds their places, draws some, and makes one build of all that compile."""
import json
import random
import re
import subprocess
import sys

from . import tree
from .tree import ROOT

FOLDER = ROOT / ".build" / "mutation"
TREE = FOLDER / "source"
TOOL = FOLDER / "tool" / "debug" / "mutate"
# The searching side of simulations: a bug there is one of the harness.
SPARED = "Sources/Scheduling/Simulation/"

HEADER = """
#include <stdbool.h>
/// The mutant that runs; 0 is none, -1 is none while it is noted which are come by.
extern int contextbench_mutant;
/// Notes that the mutant was come by; whether it runs.
bool contextbench_come_by_mutant(int number);
static inline bool _mutated(int number) {
  return __builtin_expect(contextbench_mutant == number || contextbench_mutant < 0, 0)
    && contextbench_come_by_mutant(number);
}

#endif
"""
CODE = r"""
#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
int contextbench_mutant;
static unsigned char *come_by;
static off_t come_by_size;
__attribute__((constructor)) static void choose_mutant(void) {
  const char *number = getenv("CONTEXTBENCH_MUTANT"), *path = getenv("CONTEXTBENCH_MUTANTS_SEEN");
  int file = path ? open(path, O_RDWR | O_CLOEXEC) : -1;
  struct stat status;
  if (file >= 0 && fstat(file, &status) == 0) {
    come_by_size = status.st_size;
    come_by = mmap(NULL, come_by_size, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    if (come_by == MAP_FAILED) come_by = NULL;
  }
  if (file >= 0) close(file);
  if (number) contextbench_mutant = atoi(number);
}
bool contextbench_come_by_mutant(int number) {
  if (come_by && number < come_by_size) come_by[number] = 1;
  return contextbench_mutant == number;
}
"""
# A section that runs without its lock.
UNLOCKED = """
extension Locked {
  @inlinable
  public func withLock<Result, Failure: Error>(
    dropped: Bool, _ body: (inout State) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    if dropped { return try body(&state) }
    return try withLock(body)
  }
}
"""
ERROR = re.compile(r"^(/.+?):(\d+):\d+: error: (.*)$", re.MULTILINE)


def replaced(text, old, new):
    """The text with one place changed; ends where it is not there once."""
    if text.count(old) != 1:
        sys.exit(f"scripts/mutation/planting.py: '{old}' is there {text.count(old)} times, and not once")
    return text.replace(old, new)


def put_switch(copy):
    """Puts what chooses a mutant into a copy of the project."""
    runtime = copy / "Sources" / "CRuntime"
    header = runtime / "include" / "CRuntime.h"
    text = header.read_text().rstrip()
    if not text.endswith("#endif"):
        sys.exit(f"{header} does not end with #endif")
    header.write_text(text.removesuffix("#endif") + HEADER)
    code = runtime / "runtime.c"
    code.write_text(code.read_text() + CODE)
    locked = copy / "Sources" / "Scheduling" / "Locked.swift"
    locked.write_text(locked.read_text() + UNLOCKED)
    manifest = copy / "Package.swift"
    text = replaced(manifest.read_text(), "    .treatAllWarnings(as: .error),\n", '    .unsafeFlags(["-suppress-warnings"]),\n')
    manifest.write_text(
        replaced(text, '.target(name: "SQLite", dependencies: ["CSQLite"]', '.target(name: "SQLite", dependencies: ["CSQLite", "CRuntime"]'))


def build_tool():
    subprocess.run(
        ["swift", "build", "--package-path", ROOT / "Mutation", "--scratch-path", FOLDER / "tool", "--product", "mutate"],
        check=True, stdout=sys.stderr)


def places(root=ROOT):
    """All mutants there are, each with its place, in an order that only the sources decide."""
    files = [file for module in tree.MODULES for file in tree.sources(module, root) if not file.startswith(SPARED)]
    listed = subprocess.run([TOOL, "list", root, *files], check=True, capture_output=True)
    return json.loads(listed.stdout)


def drawn(all_places, seed, count):
    """So many of them, each as likely as the others; a longer draw of a seed begins with the shorter one."""
    order = list(range(len(all_places)))
    random.Random(seed).shuffle(order)
    return [all_places[index] | {"place": index, "rank": rank} for rank, index in enumerate(order[:count])]


def in_order(mutants):
    """The mutants with numbers, in the order of their places: of one range, the outer one is first."""
    return list(enumerate(sorted(mutants, key=lambda mutant: mutant["place"]), 1))


class Planted:
    """A copy of the project with mutants, of which those that do not compile are dropped.

    The mutants of one number are chosen, and dropped, together.
    """

    def __init__(self, numbered, copy=TREE):
        tree.copy(copy)
        self.copy = copy
        self.numbered = numbered
        self.dropped = {}
        put_switch(copy)
        self.originals = {
            file: (copy / file).read_text() for file in {mutant["file"] for _, mutant in numbered}}
        self.planted = []
        self.plant()

    def plant(self):
        """Writes the files with all mutants that are left."""
        for file, text in self.originals.items():
            (self.copy / file).write_text(text)
        rest = [{"number": number, "mutant": mutant, "lines": [], "around": []}
                for number, mutant in self.numbered if number not in self.dropped]
        result = subprocess.run(
            [TOOL, "plant", self.copy], input=json.dumps(rest).encode(), check=True, capture_output=True)
        self.planted = json.loads(result.stdout)
        for file in {one["mutant"]["file"] for one in rest}:
            path = self.copy / file
            # On one line with what follows, so that lines keep their numbers.
            path.write_text("import CRuntime; " + path.read_text())

    def blamed(self, file, line):
        """The mutants to which an error is due: those on its line, else those of its function, else those of its file."""
        here = [one for one in self.planted if one["mutant"]["file"] == file]
        on_line = [one["number"] for one in here if line in one["lines"]]
        around = [one["number"] for one in here if one["around"][0] <= line <= one["around"][1]]
        return on_line or around or [one["number"] for one in here]

    def put_back(self, text):
        """The mutants that put a function back that an error names: it may collide with one elsewhere."""
        name = re.search("'([^'(]+)", text)
        return [
            one["number"] for one in self.planted
            if name and one["mutant"]["note"].endswith(" again") and f" {name[1]} " in one["mutant"]["note"]]

    def drop(self, printed):
        """Drops what the errors are due to; ends where it is none."""
        errors = [(file, int(line), text) for file, line, text in ERROR.findall(printed)]
        new = {}
        for file, line, text in errors:
            for number in self.blamed(file.removeprefix(f"{self.copy}/"), line) or self.put_back(text):
                new[number] = text
        if not new:
            sys.exit("the copy does not compile, and no mutant is to blame:\n" + printed[-4000:])
        self.dropped |= new
        self.plant()

    def settle(self):
        """Drops mutants until the stack compiles."""
        for module in tree.MODULES:
            while True:
                result = tree.emit_module(self.copy, module, FOLDER / "modules")
                if result.returncode == 0:
                    break
                before = len(self.dropped)
                self.drop(result.stderr)
                print(f"{module}: {len(self.dropped) - before} do not compile", file=sys.stderr, flush=True)

    def build(self, jobs=None):
        """The executable with all that compile."""
        self.settle()
        scratch = FOLDER / "build"
        while True:
            result = tree.build(
                self.copy, scratch, "--product", "contextbench", configuration="release", check=False, jobs=jobs)
            if result.returncode == 0:
                return scratch / "release" / "contextbench"
            self.drop(result.stdout)
            self.settle()
