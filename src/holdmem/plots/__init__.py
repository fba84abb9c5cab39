"""Figures and HTML pages of results."""

from holdmem.plots.crosstable import heat_map
from holdmem.plots.hand_review import hand_review_page
from holdmem.plots.page import html_report
from holdmem.plots.review import review_page

__all__ = ["hand_review_page", "heat_map", "html_report", "review_page"]
