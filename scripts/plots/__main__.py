"""scripts/plot DIR…"""

import signal
import sys
from pathlib import Path

# Until everything is loaded Ctrl-C leaves nothing behind; a reader that has seen enough ends this as it ends cat.
signal.signal(signal.SIGINT, signal.SIG_DFL)
signal.signal(signal.SIGPIPE, signal.SIG_DFL)

from plots import results, scene, speed, trend
from plots.bad_input import BadInput
from plots.pictures import latency, load, safety, stalls, throughput, time

USAGE_ERROR, NOT_WRITTEN, INTERRUPTED = 64, 6, 130
PICTURES = [time, latency, stalls, throughput, safety]


def draw(folder):
    """Draws a results folder, the trend of those inside, or what scripts/speed measured; returns the files."""
    if speed.is_measured(folder):
        return speed.draw(folder)
    if results.is_run(folder):
        return draw_run(results.load(folder))
    inner = results.runs_inside(folder)
    if not inner:
        raise BadInput(
            folder,
            "holds neither cells.csv nor speed.csv nor folders of runs",
            "Give the folder that contextbench printed last",
        )
    files = trend.draw([results.load(one) for one in inner], folder / "pictures")
    if not files:
        say(folder, "no scenario has two comparable runs, so there is no trend")
    return files


def draw_run(run):
    scenes = scene.scenes(run)
    if not scenes:
        say(run.folder, "holds no cells, so there is nothing to draw")
    files = []
    for one in scenes:
        for picture in PICTURES:
            drawn = picture.draw(one, run.folder / "pictures")
            if not drawn:
                say(run.folder, f"nothing was measured for {one.name}: {picture.TITLE}")
            files += drawn
        files += load.draw(one, run.folder / "pictures")
    return files


def say(folder, message):
    print(f"{folder}: {message}", file=sys.stderr)


def main(arguments):
    signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        for folder in map(Path, arguments):
            for file in draw(folder):
                print(file, flush=True)
    except BadInput as error:
        print(error, file=sys.stderr)
        return USAGE_ERROR
    except OSError as error:
        print(f"{error.filename or 'standard output'}: cannot be written: {error.strerror}", file=sys.stderr)
        return NOT_WRITTEN
    except KeyboardInterrupt:
        return INTERRUPTED
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
