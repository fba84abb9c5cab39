"""Pictures and pages of results."""

from holdmem.report.crosstable import heat_map
from holdmem.report.page import html_report

__all__ = ["heat_map", "html_report"]
