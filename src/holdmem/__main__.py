"""Run the `holdmem` command as `python -m holdmem`."""

from holdmem.cli import main

main()
