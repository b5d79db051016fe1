"""Vehicle identification numbers of vehicles that do not exist: right form, right check digit."""

from forecourt.demo.dice import Dice

_MODEL_YEAR_CODES = "ABCDEFGHJKLMNPRSTVWXY123456789"
_DESCRIPTOR = "ABCDEFGHJKLMNPRSTUVWXYZ"
_LETTER_VALUES = dict(zip(_DESCRIPTOR, "12345678123457923456789", strict=True))
_WEIGHTS = (8, 7, 6, 5, 4, 3, 2, 10, 0, 9, 8, 7, 6, 5, 4, 3, 2)


def check_digit(vin: str) -> str:
    """Return what 49 CFR 565.15(c) wants at position 9, whatever stands there now."""
    total = sum(
        int(_LETTER_VALUES.get(sign, sign)) * weight for sign, weight in zip(vin, _WEIGHTS, strict=True)
    )
    return "0123456789X"[total % 11]


def invented_vin(wmi: str, year: int, *, serial: int, dice: Dice) -> str:
    """Return a VIN of the maker `wmi` and the model year, with `serial` filled up by zeros.

    Position 7 is a letter, as light vehicles from 2010 on have it.
    """
    descriptor = "".join(dice.pick(_DESCRIPTOR) for _ in range(5))
    year_code = _MODEL_YEAR_CODES[(year - 1980) % 30]
    draft = f"{wmi}{descriptor}0{year_code}{dice.pick(_DESCRIPTOR)}{serial:06d}"
    return draft[:8] + check_digit(draft) + draft[9:]
