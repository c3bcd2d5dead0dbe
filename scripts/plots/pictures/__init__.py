"""One file a picture: `draw` makes the files of one scenario and returns them, none when there is nothing to show."""
