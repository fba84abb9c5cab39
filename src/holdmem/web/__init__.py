"""The web table: play against any agent in the browser and see the reasons for its actions.

It requires the extra `web`.
"""

from holdmem.core.extras import require

require("web", "the web table")
