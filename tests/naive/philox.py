"""Philox 4x32-10 and what is drawn from it, with Python's own whole numbers."""

from itertools import islice

WORD = 2**32


def philox(key, counter):
    """Ten rounds over four words, the key stepped on after each (Salmon et al. 2011, section 3.3)."""
    left, right = key % WORD, key // WORD
    for _ in range(10):
        first, second = counter[0] * 0xD2511F53, counter[2] * 0xCD9E8D57
        counter = (
            second // WORD ^ counter[1] ^ left,
            second % WORD,
            first // WORD ^ counter[3] ^ right,
            first % WORD,
        )
        left, right = (left + 0x9E3779B9) % WORD, (right + 0xBB67AE85) % WORD
    return counter


def words(key, hand_id, decision=0):
    """All words for a decision at a spot, block after block; the key's bits beyond 64 whiten both ends."""
    match, table, hand = hand_id
    white = [key >> 64 + 32 * place & (WORD - 1) for place in range(4)]
    for number in range(2**16):
        counter = (hand, table, match, decision * 2**16 + number)
        plain = philox(key % 2**64, [one ^ two for one, two in zip(counter, white, strict=True)])
        yield from (one ^ two for one, two in zip(plain, white, strict=True))


def uniforms(key, hand_id, decision, count):
    """The first numbers from 0 to below 1, each of 27 and 26 bits of two words."""
    stream = words(key, hand_id, decision)
    pairs = [(next(stream), next(stream)) for _ in range(count)]
    return [((high >> 5) * 2**26 + (low >> 6)) / 2**53 for high, low in pairs]


def decision_key(key, hand_id, decision):
    """A key of 64 bits for all that is simulated at one decision: its first two words."""
    high, low, *_ = islice(words(key, hand_id, decision), 4)
    return high * WORD + low


def trial_numbers(key, purpose, trial, count):
    """Numbers from 0 to below 1 for one trial of a simulation, one of each word."""
    blocks = [philox(key, (start, trial, purpose, 0)) for start in range(0, count, 4)]
    return [word / WORD for block in blocks for word in block]


def deck(key, hand_id, cards):
    """The first cards of a shuffled deck: each place is swapped with one of those that are left."""
    stream = words(key, hand_id)
    cards_left = list(range(52))
    for place in range(cards):
        chosen = place + below(52 - place, stream)
        cards_left[place], cards_left[chosen] = cards_left[chosen], cards_left[place]
    return cards_left[:cards]


def below(count, stream):
    """A number below `count`, all alike: words whose product leaves too small a rest are thrown away."""
    for word in stream:
        if word * count % WORD >= WORD % count:
            return word * count // WORD
