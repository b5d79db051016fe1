"""Names of entries for people."""

from collections.abc import Iterable

from forecourt.catalogue.catalogue import Line
from forecourt.catalogue.entries import Drivetrain, Generation

_FUELS = {"plugin_hybrid": "plug-in hybrid", "mild_hybrid": "mild hybrid", "lpg": "LPG", "cng": "CNG"}


def label_of(line: Line) -> str:
    """Return the name of a car as far as it is known: `Volkswagen Golf VII (2012–2020) 1.5 petrol 110 kW`."""
    parts: list[str] = [_make_and_model(line)]
    if line.generation is not None:
        parts.append(_generation(line.generation))
    if line.drivetrain is not None:
        parts.append(drivetrain_label(line.drivetrain))
    return " ".join(part for part in parts if part)


def generation_label(line: Line) -> str:
    """Return make, model, generation and years."""
    return label_of(Line(line.make, line.model, line.generation))


def drivetrain_label(drivetrain: Drivetrain) -> str:
    """Return engine and gearbox in words: `1.5 petrol 110 kW (150 hp) automatic awd`."""
    litres = drivetrain.displacement_cc
    power = drivetrain.power_kw
    parts: Iterable[str | None] = (
        f"{litres / 1000:.1f}" if litres else None,
        _FUELS.get(drivetrain.fuel or "", drivetrain.fuel),
        f"{drivetrain.battery_kwh:g} kWh" if drivetrain.battery_kwh else None,
        f"{power} kW ({drivetrain.power_hp} hp)" if power else None,
        drivetrain.transmission,
        drivetrain.drive,
    )
    return " ".join(part for part in parts if part)


def _make_and_model(line: Line) -> str:
    if line.model is None:
        return line.make.name
    named_already = line.model.name.startswith(line.make.name)
    return line.model.name if named_already else f"{line.make.name} {line.model.name}"


def _generation(generation: Generation) -> str:
    years = generation.years
    code = f" {generation.code}" if generation.code and generation.code != generation.name else ""
    window = f" ({years.first or ''}–{years.last or ''})" if years.first or years.last else ""
    return f"{generation.name}{code}{window}"
