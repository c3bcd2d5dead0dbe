"""Pictures as SVG that a page can take in as it is."""

import io
import re
from xml.sax.saxutils import escape, quoteattr

# Names of elements, and references to them.
_NAMES = re.compile(r'(\bid="|"#|url\(#)')
_PROLOGUE = re.compile(r"^.*?(?=<svg\b)", re.DOTALL)
_METADATA = re.compile(r"\s*<metadata>.*?</metadata>", re.DOTALL)
# Text stays text. Verdana has the widths of DejaVu Sans, for where that is missing.
_FONT = "'DejaVu Sans'"
_FONTS = f"{_FONT}, Verdana, sans-serif"
_STYLE = re.compile(r"<style[^>]*>\s*\*\{([^}]*)\}\s*</style>")
_OPENING = re.compile(r"<svg\b([^>]*)>", re.DOTALL)


def write(figure, path, name, title, description, scenario, picture):
    """Writes the figure: without prologue and metadata, with a title and a description for those who cannot see it.

    Every name in it begins with the picture's, since a page that holds several pictures needs different ones; the
    scenario and which picture it is are in `data-scenario` and `data-picture`.
    """
    buffer = io.StringIO()
    figure.savefig(buffer, format="svg", facecolor="white", metadata={"Date": None, "Creator": None})
    attributes = {"role": "img", "aria-label": title, "data-scenario": scenario, "data-picture": picture}
    path.write_text(prepared(buffer.getvalue(), name, title, description, attributes), encoding="utf-8")


def prepared(text, name, title, description, attributes):
    text = _METADATA.sub("", _PROLOGUE.sub("", text, count=1), count=1)
    text = _NAMES.sub(lambda match: f"{match.group(1)}{name}.", text)
    text = text.replace(_FONT, _FONTS)
    # A style sheet's rules for all elements would apply to a whole page.
    style = _STYLE.search(text)
    text = _STYLE.sub("", text)
    attributes = attributes | ({"style": style.group(1)} if style else {})
    written = "".join(f" {key}={quoteattr(value)}" for key, value in attributes.items())
    return _OPENING.sub(
        lambda match: f"<svg{match.group(1)}{written}>\n"
        f" <title>{escape(title)}</title>\n <desc>{escape(description)}</desc>",
        text,
        count=1,
    )
