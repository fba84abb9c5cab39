"""`python -m holdmem` is the command `holdmem`."""

from holdmem.cli import main

main()
