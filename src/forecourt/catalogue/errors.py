"""What can be wrong with a question to the catalogue or a file for it."""

from forecourt.base.errors import InvalidInput, NotFound


class CatalogueIdNotFound(NotFound):
    """No entry of the catalogue has this id."""

    code = "catalogue_id_not_found"


class CatalogueIdReplaced(NotFound):
    """The entry was merged into the one of `details["replaced_by"]`."""

    code = "catalogue_id_replaced"


class CatalogueConflict(InvalidInput):
    """The ids are not in one line of descent."""

    code = "catalogue_conflict"


class CursorInvalid(InvalidInput):
    """The cursor does not come from this list; `details["errors"]` points at it."""

    code = "validation_failed"


class CatalogueFileUnusable(InvalidInput):
    """The file has not the columns of a catalogue, or no row that can be taken."""

    code = "catalogue_file_unusable"


class KbaFileUnusable(InvalidInput):
    """The file is not the list of German type keys, FZ 6."""

    code = "kba_file_unusable"
