"""What can be wrong with a register of one's own; what a caller is told stands in `contract.errors`."""

from forecourt.base.errors import InvalidInput


class RegisterFileUnusable(InvalidInput):
    """The file has not the columns of a register of one's own."""

    code = "register_file_unusable"
