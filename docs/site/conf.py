"""How Sphinx builds the site from what stage.py leaves in build/site-source; `make docs` calls both."""

import re
from pathlib import Path
from typing import Any

project = "HoldMem"
copyright = "HoldMem contributors"
html_baseurl = ""  # the public address, for canonical links; empty until there is one

extensions = ["myst_parser"]
root_doc = "index"
myst_heading_anchors = 4
myst_enable_extensions = ["html_image"]  # <img> of a page is a picture like any other
highlight_language = "text"
smartquotes = False

html_theme = "furo"
html_theme_options = {
    "light_css_variables": {"color-brand-primary": "#0f6b4c", "color-brand-content": "#0f6b4c"},
    "dark_css_variables": {"color-brand-primary": "#6fcfa5", "color-brand-content": "#6fcfa5"},
}
html_title = "HoldMem"
html_static_path = [str(Path(__file__).with_name("static"))]
html_css_files = ["site.css"]
html_copy_source = False
html_show_search_summary = False  # excerpts are fetched, which browsers refuse to pages of a folder
html_show_sphinx = False


def setup(app: Any) -> None:
    app.connect("doctree-read", name_anchors)


def name_anchors(app: Any, _: Any) -> None:
    """Tell MyST the anchors of a page that are written as HTML: it knows headings only."""
    text = app.env.doc2path(app.env.docname).read_text(encoding="utf-8")
    slugs = app.env.metadata[app.env.docname].setdefault("myst_slugs", {})
    for name in re.findall(r'<a id="([\w-]+)">', text):
        slugs.setdefault(name, (0, name, name))
