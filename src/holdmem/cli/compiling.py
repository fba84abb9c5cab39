"""The one-time compilation, made visible."""

from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def shown_compilation() -> Iterator[None]:
    """Within this context, kernels that have to be compiled are counted on a line of the terminal."""
    from rich.console import Console
    from rich.text import Text

    from holdmem.compiled import KERNELS, compilations

    done = 0
    status = Console(stderr=True).status("")

    def announce(name: str) -> None:
        nonlocal done
        done += 1
        status.start()
        text = f"Compiling, only this once: {done} of up to {len(KERNELS)} kernels, {name}"
        status.update(Text(text, no_wrap=True, overflow="ellipsis"))

    try:
        with compilations(announce):
            yield
    finally:
        status.stop()
    if done:
        status.console.print(
            f"Compiled {done} kernels for this machine; the next start is quick.", highlight=False
        )


def rehearse() -> None:
    """Play a few hands for nobody, so that whatever has to be compiled is compiled now, and visibly."""
    with shown_compilation():
        import holdmem.agents
        from holdmem.rules import find_game
        from holdmem.table import Streams, legal_policy, play, spots

        where = spots(8)
        game = find_game("nolimit")
        cards = Streams.of(0, "rehearsal").decks(where, game.deck_cards)
        seats = [holdmem.agents.Random().sit(game, 8, Streams(seat)) for seat in range(game.seats)]

        class Mixed:
            """Draws from a policy, so that policies are rehearsed as well."""

            def act(self, views):  # type: ignore[no-untyped-def]
                str(views[0])
                return legal_policy(views, (1, 1, 1)).draw(views.uniforms(Streams(2)))

        play(game, [*seats[:1], Mixed()], cards, where=where)
        _rehearse_strength()


def _rehearse_strength() -> None:
    from holdmem.strength import Hands, e_hs, ihs, potential

    for board in ("7c8d9h", "7c8d9hTs", "7c8d9hTsJc"):
        hands = Hands.read("AsKs", board)
        for exact in (False, True):
            ihs(hands, exact=exact), potential(hands, exact=exact), e_hs(hands, exact=exact)


def rehearse_equities() -> None:
    """Ask for one equity of each kind, so that whatever has to be compiled is compiled now, and visibly."""
    with shown_compilation():
        from holdmem.cards import Range, cards
        from holdmem.strength import range_equities, sampled_equities

        river = cards("Kc7s2d5h9c")
        pair, other, any_two = Range.parse("AhAd"), Range.parse("QsQc,JsJc"), Range.parse("random")
        range_equities([pair, Range.parse("QsQc")], river)
        range_equities([pair, other])
        range_equities([pair, any_two], river)
        range_equities([pair, other, any_two], river)
        sampled_equities([pair, any_two], 10)


def rehearse_exploiting() -> None:
    """Exploit somebody for a few hands."""
    with shown_compilation():
        from holdmem.rules import find_game
        from holdmem.training.exploit import local_best_response

        local_best_response("always-call", find_game("limit"), hands=1)


def rehearse_solving() -> None:
    """Solve a game of one bucket a little, and look a decision up in what comes of it."""
    with shown_compilation():
        import numpy as np

        from holdmem.equilibrium.player import Player
        from holdmem.rules import Batch
        from holdmem.table import Views, spots
        from holdmem.training.solving import SmallSolve, Solve, Task

        SmallSolve("kuhn")
        solve = Solve(Task("nolimit", (1, 1, 1, 1)))
        solve.solver.run(1)
        one = np.arange(1)
        batch = Batch(solve.solver.tree.game, np.arange(9)[None, :])
        Player(solve.strategy()).policy(Views.of(batch, one, spots(1), one))


def compile_kernels() -> None:
    """Compile everything for this machine now (commands do so by themselves when they need it)."""
    from rich.console import Console

    from holdmem.caches import cache_root

    rehearse()
    rehearse_equities()
    rehearse_exploiting()
    rehearse_solving()
    Console(stderr=True).print(f"Compiled code is kept in {cache_root() / 'kernels'}", highlight=False)
