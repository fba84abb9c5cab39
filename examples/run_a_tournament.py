"""A round robin on the same cards: the cross table, and two ways to determine a winner."""

from holdmem import tournament

agents = ["simplebot", "jagbot", "always-call", "always-raise"]
done = tournament("limit", *agents, hands=2_000, seed=1)

print(f"{done.unit}, {done.hands:,} hands".ljust(24), *(name.rjust(16) for name in agents))
for one, name in enumerate(agents):
    row = []
    for other in range(len(agents)):
        cell = done.cell(one, other)
        row.append("–" if cell is None else f"{cell.mean:+.2f} ± {1.96 * cell.standard_error:.2f}")
    print(name.ljust(24), *(text.rjust(16) for text in row))

print("bankroll:", ", ".join(agents[agent] for agent, _ in done.bankroll()))
print("run-off: ", ", ".join(agents[agent] for agent in done.runoff()))
