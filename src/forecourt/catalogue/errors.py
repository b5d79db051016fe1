"""What can be wrong with a file for the catalogue; wrong questions to it are in `contract.errors`."""

from forecourt.base.errors import InvalidInput


class CatalogueFileUnusable(InvalidInput):
    """The file has not the columns of a catalogue, or no row that can be taken."""

    code = "catalogue_file_unusable"


class KbaFileUnusable(InvalidInput):
    """The file is not the list of German type keys, FZ 6."""

    code = "kba_file_unusable"
