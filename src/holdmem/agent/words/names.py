"""Names of agents as a person reads them."""


def agent_words(name: str) -> str:
    """Return an agent's name with its settings in words: "imitator:expert=eqm" is "imitator (expert eqm)"."""
    first, _, settings = name.partition(":")
    said = ", ".join(part.replace("=", " ").replace("_", " ") for part in settings.split(",") if part)
    return f"{first} ({said})" if said else first
