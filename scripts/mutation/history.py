"""The bugs of the project's own history, each brought back alone: the change of the stack that mended it is taken back."""
import csv
import json
import random
import shutil
import subprocess
import sys

from . import planting, tree
from .tree import ROOT

FOLDER = planting.FOLDER / "history"
CLONE = FOLDER / "clone"
FORMER = FOLDER / "former"
COMMITS = ROOT / "results" / "history" / "commits.csv"
STACK = [f"Sources/{module}" for module in tree.MODULES]


def git(*arguments, where=ROOT, check=True, **more):
    return subprocess.run(["git", *arguments], cwd=where, check=check, capture_output=True, text=True, **more)


def changing_both():
    """The commits that change the stack and tests, with their subjects, from the first on."""
    log = git("log", "--no-merges", "--reverse", "--name-only", "--format=%x1e%h%x1f%s").stdout
    found = {}
    for entry in log.split("\x1e")[1:]:
        head, *files = entry.strip().splitlines()
        commit, subject = head.split("\x1f", 1)
        folders = tuple(f"{folder}/" for folder in STACK)
        code = [file for file in files if file.endswith(".swift")]
        if any(file.startswith(folders) for file in code) and any(file.startswith("Tests/") for file in code):
            found[commit] = subject
    return found


def bugs():
    """The commits that mended a bug: those of the rule that the file kept by hand says are one."""
    with open(COMMITS) as file:
        classes = {row["commit"]: row["class"] for row in csv.DictReader(file)}
    found = changing_both()
    # An abbreviated hash may have got longer.
    known = {commit: next((classes[short] for short in classes if commit.startswith(short)), None) for commit in found}
    new = [f"{commit} {found[commit]}" for commit, value in known.items() if value is None]
    if new:
        print("not in results/history/commits.csv yet, left out:\n  " + "\n  ".join(new), file=sys.stderr)
    return {commit: found[commit] for commit, value in known.items() if value == "bug"}


def make_clone():
    """A clone to take changes back in."""
    if git("status", "--porcelain", "--", "Sources").stdout:
        sys.exit("scripts/mutation-score --history: Sources differ from the last commit: commit them first")
    shutil.rmtree(FOLDER, ignore_errors=True)
    FOLDER.mkdir(parents=True)
    git("clone", "--quiet", "--shared", ROOT, CLONE)


def revert(commit, *how):
    """Takes a commit back in the clone, and says which files of the stack conflict."""
    git("reset", "--quiet", "--hard", where=CLONE)
    git("clean", "--quiet", "-fd", where=CLONE)
    identity = ["-c", "user.name=mutation-score", "-c", "user.email=mutation-score@localhost"]
    # Files have moved since.
    git(*identity, "-c", "merge.renameLimit=20000", "revert", "--no-commit", *how, commit, where=CLONE, check=False)
    return git("diff", "--name-only", "--diff-filter=U", "--", *STACK, where=CLONE).stdout.splitlines()


def take_back(commit):
    """The files that differ once the commit is taken back, with their text, None where one is not there; and whether all of
    the commit is. Where others have changed the same lines since, only the rest is taken back."""
    is_whole = not revert(commit)
    if not is_whole:
        for name in revert(commit, "--strategy-option=ours"):
            if git("checkout", "--quiet", "HEAD", "--", name, where=CLONE, check=False).returncode != 0:
                git("rm", "--quiet", "-f", name, where=CLONE)
    names = git("diff", "--name-only", "--no-renames", "HEAD", "--", *STACK, where=CLONE).stdout.splitlines()
    files = {name: (CLONE / name).read_text() if (CLONE / name).exists() else None for name in names}
    git("revert", "--quit", where=CLONE, check=False)
    return files, is_whole


def switched(commit, former):
    """The mutants that take a commit back behind a switch, and whether they take back all of it."""
    folder = FORMER / commit
    # A file that the commit added stays.
    there = {name: text for name, text in former.items() if text is not None}
    changed = [name for name in there if name.endswith(".swift") and (ROOT / name).exists()]
    for name in changed:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(there[name])
    listed = subprocess.run([planting.TOOL, "reverse", ROOT, folder, *changed], check=True, capture_output=True)
    reversals = json.loads(listed.stdout)
    mutants = [mutant for reversal in reversals for mutant in reversal["mutants"]]
    return mutants, len(changed) == len(there) and all(reversal["isWhole"] for reversal in reversals)


def is_switch(mutant):
    """Whether it changes what is done, and does not only put a function back."""
    return not mutant["note"].endswith(" again")


def write_over(copy, former):
    """Puts files as they were into a copy of the project."""
    for name, text in former.items():
        if text is None:
            (copy / name).unlink(missing_ok=True)
        else:
            (copy / name).parent.mkdir(parents=True, exist_ok=True)
            (copy / name).write_text(text)


def compiles(former):
    """Whether the stack compiles with files as they were."""
    copy = FOLDER / "alone"
    tree.copy(copy)
    write_over(copy, former)
    modules = FOLDER / "alone-modules"
    shutil.rmtree(modules, ignore_errors=True)
    shutil.copytree(FOLDER / "modules", modules)
    lowest = min(tree.MODULES.index(name.split("/")[1]) for name in former)
    for module in tree.MODULES[lowest:]:
        result = tree.emit_module(copy, module, modules)
        if result.returncode != 0:
            (FOLDER / "broken.txt").open("a").write(result.stderr)
            return False
    return True


class History:
    """What can be taken back, how, and what cannot; if wanted, of what can share a build alone."""

    def __init__(self, is_shared=False):
        planting.build_tool()
        self.is_shared = is_shared
        self.bugs = bugs()
        self.conflicts, self.broken, self.parts, self.former, self.mutants = [], [], set(), {}, {}
        make_clone()
        for commit in self.bugs:
            former, is_whole = take_back(commit)
            if not former:
                self.conflicts.append(commit)
                continue
            self.former[commit] = former
            if not is_whole:
                self.parts.add(commit)
            mutants, all_switched = switched(commit, former)
            if not all_switched and is_shared:
                self.parts.add(commit)
            if any(map(is_switch, mutants)) and (all_switched or is_shared):
                self.mutants[commit] = mutants
        self.reversible = len(self.former)
        self.look_which_compile()

    def look_which_compile(self):
        """Finds those that compile, or remembers it of the same sources and bugs."""
        record = planting.FOLDER / "taken-back.json"
        trees = git("rev-parse", "HEAD:Sources", "HEAD:Mutation").stdout.split()
        key = [*trees, sorted(self.bugs), self.is_shared]
        known = json.loads(record.read_text()) if record.exists() else {}
        if known.get("key") == key:
            self.broken = known["broken"]
            self.keep(known["switched"])
            able = self.mutants if self.is_shared else self.former.keys() - self.broken
            self.former = {commit: self.former[commit] for commit in self.former if commit in able}
            return
        switched = self.try_all()
        record.write_text(json.dumps({"key": key, "broken": self.broken, "switched": switched}))

    def keep(self, switched):
        """Of each commit's mutants keeps those that compile, by their places; of a commit that is not to be taken back in part,
        all or none."""
        for commit, mutants in list(self.mutants.items()):
            left = [mutants[place] for place in switched[commit]]
            if len(left) < len(mutants) and not self.is_shared or not any(map(is_switch, left)):
                del self.mutants[commit]
            elif len(left) < len(mutants):
                self.parts.add(commit)
                self.mutants[commit] = left

    def try_all(self):
        """Compiles together what is behind switches, and each of the rest alone; of each commit the places of the mutants that
        compile."""
        pieces = [(commit, place) for commit, mutants in self.mutants.items() for place in range(len(mutants))]
        planted = planting.Planted(
            [(number, self.mutants[commit][place]) for number, (commit, place) in enumerate(pieces, 1)], FOLDER / "together")
        planted.settle()
        switched = {commit: [] for commit in self.mutants}
        for number, (commit, place) in enumerate(pieces, 1):
            if number not in planted.dropped:
                switched[commit].append(place)
        self.keep(switched)
        if self.is_shared:
            self.former = {commit: self.former[commit] for commit in self.mutants}
            return switched
        for module in tree.MODULES:
            tree.emit_module(ROOT, module, FOLDER / "modules")
        for commit in [commit for commit in self.former if commit not in self.mutants]:
            if not compiles(self.former[commit]):
                self.broken.append(commit)
                del self.former[commit]
        return switched

    def numbered(self, commits):
        return [
            (number, mutant) for number, commit in enumerate(commits, 1) for mutant in self.mutants.get(commit, [])]

    def drawn(self, seed, count):
        """So many of those that can be taken back, each as likely as the others."""
        able = sorted(self.former)
        random.Random(seed).shuffle(able)
        return able[:count]

    def said(self):
        if self.is_shared:
            return (
                f"{len(self.bugs)} commits mended a bug; of {len(self.conflicts)} nothing can be taken back any more; of "
                f"{self.reversible} with something that can, the sample is of the {len(self.mutants)} that share a build "
                f"behind a switch, {len(self.parts & self.former.keys())} of them only in part.")
        return (
            f"{len(self.bugs)} commits mended a bug; of {len(self.conflicts)} nothing can be taken back any more, "
            f"{len(self.broken)} do not compile without; of {len(self.former)} that can be reversed, "
            f"{len(self.parts & self.former.keys())} only in part, and {len(self.mutants)} share a build behind a switch.")

    def build(self, commits, canary, jobs):
        """The executable with all that share one and the canary, and of the others one each, by their numbers."""
        planted = planting.Planted(self.numbered(commits) + [(len(commits) + 1, canary)])
        executable = planted.build(jobs)
        alone = {}
        for number, commit in enumerate(commits, 1):
            if commit in self.mutants and number not in planted.dropped:
                continue
            copy, scratch = FOLDER / "alone", planting.FOLDER / "alone"
            tree.copy(copy)
            write_over(copy, self.former[commit])
            planting.put_switch(copy)
            result = tree.build(copy, scratch, "--product", "contextbench", configuration="release", check=False, jobs=jobs)
            if result.returncode != 0:
                print(f"{commit} does not build: {result.stdout[-500:]}", file=sys.stderr)
                continue
            alone[number] = FOLDER / f"contextbench-{commit}"
            shutil.copy2(scratch / "release" / "contextbench", alone[number])
        return executable, alone
