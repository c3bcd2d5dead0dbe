"""Files that are there whole or not at all."""

import contextlib
import os
from pathlib import Path


@contextlib.contextmanager
def file(path):
    """A path beside `path`; what is written there gets its name at the end, and goes where that is not reached."""
    draft = Path(path.parent, f".{os.getpid()}-{path.name}")
    try:
        yield draft
        os.replace(draft, path)
    finally:
        draft.unlink(missing_ok=True)
