"""Why a file cannot be read as a table of vehicles. All of them refuse the file as a whole.

InvalidInput
├── UnreadableFile     no format that we know, damaged, or larger than allowed once unpacked
├── EmptyFile          nothing in it
├── TruncatedFile      it stops in the middle of a row or element
├── NoVehicleTable     readable, but no list of vehicles; says what is missing
├── MappingInvalid     the mapping file breaks a rule; every wrong key is named
└── ExtraMissing       the format needs an extra that is not installed
"""

from forecourt.base.errors import InvalidInput


class UnreadableFile(InvalidInput):
    """The file is in no format that we know, is damaged, or is too large once unpacked."""

    code = "unreadable_file"


class EmptyFile(InvalidInput):
    """The file holds nothing; some vendors mean "delete everything" by it, we never do."""

    code = "empty_file"


class TruncatedFile(InvalidInput):
    """The file stops in the middle of a row or element, so the rest of the vehicles is missing."""

    code = "truncated_file"


class NoVehicleTable(InvalidInput):
    """The file is readable but is no list of vehicles; the message says what is missing."""

    code = "no_vehicle_table"


class MappingInvalid(InvalidInput):
    """The mapping file breaks a rule; the message names each wrong key."""

    code = "mapping_invalid"


class ExtraMissing(InvalidInput):
    """The format needs an extra that is not installed; the message says which."""

    code = "extra_missing"
