"""Hash table of hands by site and number: open addressing, two words per hand."""

from holdmem.core.jit import kernel

NEW, SAME, OTHER = range(3)
"""Key not in the table; key present with the same content; key present with different content."""


@kernel
def note_all(keys, contents, table, noted, states):
    """Look up each key and insert it if it is new; keys must be positive and the table must have room."""
    last = len(table) - 1
    for k in range(len(keys)):
        place = keys[k] & last
        while table[place] != 0 and table[place] != keys[k]:
            place = (place + 1) & last
        if table[place] == 0:
            table[place], noted[place], states[k] = keys[k], contents[k], NEW
        else:
            states[k] = SAME if noted[place] == contents[k] else OTHER
