class BadInput(Exception):
    """A results folder that cannot be drawn, with what to do about it."""

    def __init__(self, path, cause, remedy):
        super().__init__(f"{path}: {cause}. {remedy}")
