"""Names of an ensemble's members as a person reads them."""

from holdmem.agent.words.names import agent_words


def member_words(name: str) -> str:
    """Return a member's name in words: "imitator:expert=eqm" is "the imitator of eqm"."""
    agent, _, settings = name.partition(":")
    given = dict(part.partition("=")[::2] for part in settings.split(",") if part)
    if agent != "imitator" or "expert" not in given:
        return agent_words(name)
    expert = given.pop("expert")
    others = ",".join(f"{key}={value}" for key, value in given.items())
    return agent_words(f"the imitator of {expert}:{others}")
