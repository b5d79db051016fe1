"""Fold the free text of listings, so that spellings of one thing compare equal.

Case, accents, apostrophes and the British spelling of a few words do not count. A hyphen, dot or slash inside
a word has two readings: `CR-V` is the words `cr v` and the word `crv`.
"""

import re
import unicodedata
from functools import lru_cache
from typing import Final, NamedTuple

WORD: Final = re.compile(r"[^\W_]+(?:(?<=\d)\.(?=\d)[^\W_]+)*")
"""Letters and digits; the point of a decimal number belongs to the word (`2.0t`)."""

APOSTROPHES: Final = str.maketrans("", "", "'’`´")
LETTERS: Final = str.maketrans(
    {"ø": "o", "æ": "ae", "œ": "oe", "đ": "d", "ð": "d", "ł": "l", "þ": "th", "ı": "i"}
)
SPELLINGS: Final = {
    "grey": "gray",
    "colour": "color",
    "tyre": "tire",
    "litre": "liter",
    "aluminium": "aluminum",
}


class Folded(NamedTuple):
    """A folded text in its readings; each begins and ends with a space, or is empty when there is no word."""

    split: str
    """Every word: ` cr v touring `."""
    joined: str
    """Words with what a hyphen, dot or slash held together: ` crv touring `."""
    squeezed: str
    """All words without any space: `crvtouring`."""

    def stands_in(self, value: "Folded") -> bool:
        """Say whether these words stand in that order, whole and side by side, in a value."""
        if not self.squeezed:
            return False
        return self.split in value.split or self.joined in value.joined or self.squeezed == value.squeezed

    def words(self) -> list[str]:
        """Return the words of both readings, each once."""
        return list(dict.fromkeys(self.split.split() + self.joined.split()))


def fold_letters(text: str) -> str:
    """Return a text without case, accents and apostrophes."""
    if text.isascii():
        return text.lower().translate(APOSTROPHES)
    folded_case = unicodedata.normalize("NFKD", text).casefold().translate(LETTERS)
    decomposed = unicodedata.normalize("NFKD", folded_case)
    plain = "".join(letter for letter in decomposed if not unicodedata.combining(letter))
    return plain.translate(APOSTROPHES)


def words_of(folded: str) -> list[str]:
    """Return the words of a text whose letters are folded, in order."""
    return [SPELLINGS.get(word, word) for word in WORD.findall(folded)]


def distinct_words(text: str) -> list[str]:
    """Return the words of both readings of a text, each once."""
    if text.isascii() and text.isalnum():
        word = text.lower()
        return [SPELLINGS.get(word, word)]
    return folded(text).words()


@lru_cache(maxsize=16384)
def fold(text: str) -> Folded:
    """Return the readings of a text; the latest are remembered, since listings repeat themselves."""
    return folded(text)


def folded(text: str) -> Folded:
    """Return the readings of a text."""
    chunks = [words_of(chunk) for chunk in fold_letters(text).split()]
    split = " ".join(word for chunk in chunks for word in chunk)
    joined = " ".join("".join(chunk) for chunk in chunks if chunk)
    if not split:
        return Folded("", "", "")
    return Folded(f" {split} ", f" {joined} ", split.replace(" ", ""))
