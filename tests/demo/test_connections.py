"""Errors inside a connection reach the person as themselves, not as groups of groups."""

import pytest

from forecourt.demo.connections import single_errors
from forecourt.demo.visit import TourStopped


def test_an_error_wrapped_by_two_task_groups_comes_out_as_itself():
    with pytest.raises(TourStopped, match="no answer"), single_errors():
        raise ExceptionGroup("outer", [ExceptionGroup("inner", [TourStopped("no answer")])])


def test_two_errors_at_once_stay_a_group():
    with pytest.raises(ExceptionGroup, match="both"), single_errors():
        raise ExceptionGroup("both", [TourStopped("first"), TourStopped("second")])
