"""A table of hands by number that grows with them: open addressing, two words per hand."""

from holdmem.compiled import kernel

NEW, SAME, OTHER = range(3)
"""A key that is not in the table, one that is with the same content, one that is with another."""


@kernel
def note_all(keys, contents, table, noted, states):
    """Look up each key, which is positive, and enter it if it is new; the table must have room."""
    last = len(table) - 1
    for k in range(len(keys)):
        place = keys[k] & last
        while table[place] != 0 and table[place] != keys[k]:
            place = (place + 1) & last
        if table[place] == 0:
            table[place], noted[place], states[k] = keys[k], contents[k], NEW
        else:
            states[k] = SAME if noted[place] == contents[k] else OTHER
