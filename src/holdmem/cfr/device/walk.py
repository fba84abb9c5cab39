"""One update of training: the strategy in one seat, a responder in the other, on the boards of a batch."""

from typing import TYPE_CHECKING, Any

import numpy as np

from . import responder
from .betting import ActionShare, StreetBetting, Values, descend
from .responder import LEAF, OWN
from .river_code import RiverPart

if TYPE_CHECKING:
    from .boards import DrawnBoards
    from .trainer import Trainer


class Update:
    """What both seats share in an update, and what they collect.

    Attributes
    ----------
    tables : [street][row, class, action] the strategy's probabilities.
    earned : [street][row, class, action] what the strategy's actions earned.
    reach : [street][row, class] the strategy's own reach.
    best_on_flop : the responder plays a best response on the flop too; all flops with all turns are there.
    """

    def __init__(
        self, trainer: "Trainer", batch: "DrawnBoards", tables: list[Any], best_on_flop: bool
    ) -> None:
        xp = trainer.xp
        self.trainer = trainer
        self.batch = batch
        self.tables = tables
        self.best_on_flop = best_on_flop
        self.earned: list[Any] = [xp.zeros_like(table) for table in tables]
        self.reach: list[Any] = [xp.zeros(table.shape[:2], np.float32) for table in tables]
        boards = [None, trainer.export.flops[batch.flops], batch.turns.boards, batch.rivers.boards]
        found, self.entries = trainer.program.classes_of(boards, batch.rivers, batch.listed)
        self.classes: list[Any] = [trainer.preflop_class[None], *found[1:3]]
        self.left: list[Any] = [(one >= 0)[:, :, None] for one in self.classes]
        self.shares: list[ActionShare] = [self._share(street) for street in range(3)]
        self.river_weight: Any = trainer.device.put(batch.river_weight)
        self.river: Any = self._river_table()

    def _share(self, street: int) -> ActionShare:
        """Return the strategy's probabilities on a street before the last."""
        trainer, known = self.trainer, {}
        betting, table = trainer.streets[street], self.tables[street]
        classes = trainer.xp.maximum(self.classes[street], 0)

        def share(node: int, action: int) -> Any:
            if (node, action) not in known:
                rows = trainer.xp.asarray(betting.rows[:, int(betting.decision[node])])
                known[node, action] = table[rows, :, action].T[classes]
            return known[node, action]

        return share

    def _river_table(self) -> Any:
        """Return the last street's probabilities, [class, decision and action, root], padded."""
        xp, rows = self.trainer.xp, self.trainer.streets[3].rows
        by_root = self.tables[3][xp.asarray(rows)].transpose(2, 1, 3, 0)
        found = xp.zeros((by_root.shape[0], by_root.shape[1] * 3, self.trainer.padded), np.float32)
        found[:, :, : len(rows)] = by_root.reshape(by_root.shape[0], -1, len(rows))
        return found


class Walk:
    """An update with the strategy in one seat; `values` are its values before the flop, by holding."""

    def __init__(self, update: Update, seat: int) -> None:
        self.update = update
        self.trainer = update.trainer
        self.xp: Any = update.trainer.xp
        self.seat = seat
        self.other = 1 - seat
        mine = self._down(seat, update.shares, 3)
        self._collect_reach(mine)
        best, codes = self._respond(self._onward(2, mine[2]))
        shares, values = self._choose(mine, best)
        del best
        theirs = self._down(self.other, shares, 3)
        earned = self._answered(self._onward(2, theirs[2]), codes)
        self.values: Any = self._earn(theirs, earned)
        self._learn_before_the_flop(values)

    # ---- Between streets

    def _down(self, seat: int, shares: list[ActionShare], streets: int) -> list[list[Any]]:
        """Return a seat's reach at the nodes of the first streets, [board, holding, root]."""
        batch = self.update.batch
        found: list[list[Any]] = []
        boards = [None, np.zeros(len(batch.flops), int), batch.turns.parent]
        for street in range(streets):
            if street:
                before = self._onward(street - 1, found[-1])[self.xp.asarray(boards[street])]
                reach = before * self.update.left[street]
            else:
                reach = self.xp.ones((1, self.trainer.cards.count, 1), np.float32)
            found.append(descend(self.trainer.streets[street], seat, reach, shares[street]))
        return found

    def _onward(self, street: int, reach: list[Any]) -> Any:
        """Return reach at the roots of the next street from that at the nodes of this one."""
        trainer = self.trainer
        betting = trainer.streets[street]
        roots = trainer.padded if street == 2 else trainer.streets[street + 1].roots
        found = self.xp.zeros((*reach[0].shape[:2], roots), np.float32)
        for leaf in np.flatnonzero(betting.kind[0] == LEAF):
            found[..., self.xp.asarray(betting.onward[leaf])] = reach[leaf]
        return found

    def _before(self, street: int, values: Any) -> Any:
        """Return the values where the street before ended, from those of this street's roots."""
        batch = self.update.batch
        if street == 1:
            return self._before_the_flop(values)
        cards = batch.rivers if street == 3 else batch.turns
        values = self.xp.ascontiguousarray(values)
        found = self.trainer.program.gather(values, cards, street, values.shape[2])
        if street == 3:
            return found[..., : self.trainer.streets[3].roots]
        return found * self.xp.asarray(batch.scale)[:, None, None]

    def _before_the_flop(self, values: Any) -> Any:
        """Return values before the flop: the mean over the flops of the batch, over equivalent holdings."""
        trainer, xp = self.trainer, self.xp
        weights = trainer.export.data["weights"].astype(np.float32)
        shares = (
            weights[self.update.batch.flops] if self.update.best_on_flop else np.ones(len(values), np.float32)
        )
        mean = (values * xp.asarray(shares / shares.sum())[:, None, None]).sum(axis=0)
        total = xp.zeros((len(trainer.class_sizes), mean.shape[1]), np.float32)
        xp.add.at(total, trainer.hold_class, mean)
        number = float(weights.sum()) * trainer.export.meta["chance"][1]
        return (number * total / trainer.class_sizes[:, None])[trainer.hold_class][None]

    def _values(self, street: int, seat: int, theirs: list[list[Any]], after: Any) -> Values:
        trainer = self.trainer
        return Values(
            trainer.cards, trainer.streets[street], seat, theirs[street], after, self.update.left[street]
        )

    # ---- The responder

    def _respond(self, reach: Any) -> tuple[Any, Any]:
        """Return the responder's values of the rivers' roots, and the codes of its actions there."""
        trainer, device, table = self.trainer, self.trainer.device, self.update.river
        rivers, street = self.update.batch.rivers, self.trainer.export.street(3, self.other)
        shape = (len(rivers.boards), trainer.cards.count, trainer.padded)
        best, codes = device.empty(shape), device.empty(shape, np.uint16)
        slots: list[Any] = []
        for source, action in zip(street.slot_from.tolist(), street.slot_action.tolist(), strict=True):
            slots.append(table[:, action] * (slots[source] if source >= 0 else 1))
        slots.append(self.xp.ones_like(table[:, 0]))  # -1: the root
        for one in trainer.responds[self.other]:
            chance = self.xp.stack([slots[slot] for slot in one.part.slots], axis=1)
            self._river(one, reach, rivers.parent, chance, None, best, None, codes, None)
        return best, codes

    def _choose(self, mine: list[list[Any]], best: Any) -> tuple[list[ActionShare], Values]:
        """Return how the responder plays each street before the last, and its values before the flop."""
        trainer, update = self.trainer, self.update
        after = self._before(3, best)
        value, on_turn = self._values(2, self.other, mine, after).best()
        flop = self._values(1, self.other, mine, self._before(2, value))
        if update.best_on_flop:
            value, on_flop = flop.best()
        else:
            on_flop = self._matched(1, trainer.responds_flop[self.other][self.xp.asarray(update.batch.flops)])
            value = flop.mixed(on_flop)
        first = self._matched(0, trainer.responds_first[self.other][trainer.hold_class][None])
        before = self._values(0, self.other, mine, self._before(1, value))
        before.mixed(first)
        if not update.best_on_flop:
            self._learn_on_the_flop(flop)
        return [first, on_flop, on_turn], before

    def _matched(self, street: int, regrets: Any) -> ActionShare:
        """Return what regrets [board, holding, action, root] play; where all are 0, it is the strategy."""
        own = self.trainer.streets[street].own(self.other)
        place, otherwise = {step: k for k, step in enumerate(own)}, self.update.shares[street]
        total = {
            node: sum(regrets[:, :, place[step]] for step in own if step[0] == node)
            for node in {node for node, _ in own}
        }

        def share(node: int, action: int) -> Any:
            whole, part = total[node], regrets[:, :, place[node, action]]
            return self.xp.where(
                whole > 0, part / self.xp.where(whole > 0, whole, 1), otherwise(node, action)
            )

        return share

    def _learn_on_the_flop(self, values: Values) -> None:
        regrets, gained = (
            self.trainer.responds_flop[self.other],
            values.regrets() * float(self.trainer.updates),
        )
        for place, flop in enumerate(self.update.batch.flops):
            regrets[flop] = self.xp.maximum(regrets[flop] + gained[place], 0)

    def _learn_before_the_flop(self, values: Values) -> None:
        regrets, gained = (
            self.trainer.responds_first[self.other],
            values.regrets()[0] * float(self.trainer.updates),
        )
        total = self.xp.zeros_like(regrets)
        self.xp.add.at(total, self.trainer.hold_class, gained)
        regrets[:] = self.xp.maximum(regrets + total, 0)

    # ---- The strategy

    def _answered(self, reach: Any, codes: Any) -> Any:
        """Return the strategy's values of the rivers' roots; what its actions earn is added up."""
        trainer, device, table = self.trainer, self.trainer.device, self.update.river
        street, rows = trainer.export.street(3, self.seat), trainer.streets[3].rows
        parent, boards = device.put(self.update.batch.rivers.parent), codes.shape[0]
        packed, found = device.empty(codes.shape), device.empty(codes.shape)
        trainer.program.run("pack", packed.size, reach, parent, codes, packed, *codes.shape)
        for one in trainer.answers[self.seat]:
            own = self.xp.ascontiguousarray(table[:, self.xp.asarray(one.own)])
            earned = self.xp.zeros_like(own)
            self._river(one, packed, np.arange(boards, dtype=np.int32), None, own, None, found, None, earned)
            for place, (node, action) in enumerate(one.part.own):
                decision = self.xp.asarray(rows[:, int(street.decision[node])])
                self.update.earned[3][decision, :, action] += earned[:, place, : len(rows)].T
        return found

    def _river(
        self, one: RiverPart, reach: Any, parent: Any, chance: Any, own: Any, best: Any, same: Any,
        codes: Any, earned: Any,
    ) -> None:  # fmt: skip
        """Run a kernel of the river on all boards; see `exact_response.cu` for the arrays."""
        trainer, device = self.trainer, self.trainer.device
        deck, roots = trainer.cards.deck - trainer.program.on_board[3], trainer.padded
        of_all = device.empty((len(parent) * roots, len(one.part.slots), deck))
        left = responder.pairs(deck)
        device.run(
            one.module, "river", len(parent) * roots, self.update.entries, left + responder.LOOKAHEAD,
            device.put(parent), reach, chance, own, one.stake, best, same, of_all, left, trainer.cards.count,
            roots, codes, self.update.river_weight, earned, block=responder.LANES, shared=one.shared,
        )  # fmt: skip

    def _earn(self, theirs: list[list[Any]], values: Any) -> Any:
        """Go up from the rivers' roots, add up what actions earn, and return the values before the flop."""
        weight = self.xp.asarray(self.update.batch.turn_weight)[:, None, None]
        for street in (2, 1, 0):
            found = self._values(street, self.seat, theirs, self._before(street + 1, values))
            values = found.mixed(self.update.shares[street])
            self._collect_earned(street, found, weight if street == 2 else 1)
        return values

    def _collect_earned(self, street: int, values: Values, weight: Any) -> None:
        """Add up what the actions of the strategy earn, by class."""
        update, betting = self.update, self.trainer.streets[street]
        count = update.tables[street].shape[1]
        for node, action in betting.own(self.seat):
            earned = values.of_action(node, action) * weight
            found = self.trainer.cards.by_class(earned, update.classes[street], count)
            rows = self.xp.asarray(betting.rows[:, int(betting.decision[node])])
            update.earned[street][rows, :, action] += found.T

    def _collect_reach(self, mine: list[list[Any]]) -> None:
        """Add up the strategy's own reach at its decisions, by class."""
        trainer, update = self.trainer, self.update
        weight = self.xp.asarray(update.batch.turn_weight)[:, None, None]
        for street, reach in enumerate((mine[0][0], mine[1][0], mine[2][0] * weight)):
            count = update.tables[street].shape[1]
            self._spread(street, trainer.cards.by_class(reach, update.classes[street], count))
        rivers, roots = update.batch.rivers, trainer.padded
        left = responder.pairs(trainer.cards.deck - trainer.program.on_board[3])
        total = self.xp.zeros((update.tables[3].shape[1], roots), np.float32)
        trainer.program.run(
            "reach_of_classes", len(rivers.boards) * roots, update.entries, left + responder.LOOKAHEAD,
            trainer.device.put(rivers.parent), self._onward(2, mine[2]), update.river_weight, total, left,
            len(rivers.boards), trainer.cards.count, roots,
        )  # fmt: skip
        self._spread(3, total[:, : trainer.streets[3].roots])

    def _spread(self, street: int, at_roots: Any) -> None:
        """Write the reach at each decision of a street from that at its roots, [class, root]."""
        betting, table = self.trainer.streets[street], self.update.tables[street]
        reach = descend(betting, self.seat, at_roots[None], self._by_class(betting, table))
        for node in np.flatnonzero(betting.kind[self.seat] == OWN):
            rows = self.xp.asarray(betting.rows[:, int(betting.decision[node])])
            self.update.reach[street][rows] = reach[node][0].T

    def _by_class(self, betting: StreetBetting, table: Any) -> ActionShare:
        def share(node: int, action: int) -> Any:
            rows = self.xp.asarray(betting.rows[:, int(betting.decision[node])])
            return table[rows, :, action].T[None]

        return share
