"""Long lists of words are written as text."""


def listed(text: str) -> frozenset[str]:
    """Return the words of a text that are separated by blanks."""
    return frozenset(text.split())


def alternatives(text: str) -> list[str]:
    """Return the words of a text that are separated by bars; a word may hold blanks."""
    return text.split("|")
