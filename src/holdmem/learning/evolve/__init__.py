"""Evolution of Casper's feature weights (Rubin 2007, chapter 4)."""
