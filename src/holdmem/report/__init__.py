"""Figures and HTML pages of results."""

from holdmem.report.crosstable import heat_map
from holdmem.report.page import html_report
from holdmem.report.review import review_page

__all__ = ["heat_map", "html_report", "review_page"]
