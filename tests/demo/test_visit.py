"""A visit shows the conversation, notices a wrong answer, and stops where there is none to go on from."""

import asyncio

import pytest

from forecourt.demo.visit import ToolAnswer, TourStopped, Visit


def visit_of(answer, shown):
    async def call_tool(tool, arguments):
        return answer

    return Visit(call_tool, lambda speaker, text: shown.append((speaker, text)))


def test_question_and_call_are_shown_before_the_answer_is_used():
    shown = []
    visit = visit_of(ToolAnswer({"type": "x.response", "data": {"total": 3}}, is_error=False), shown)
    assert asyncio.run(visit.ask("How many?", "aap_inventory_search", type="inventory.search.request")) == {
        "total": 3
    }
    assert shown == [
        ("Shopper", "How many?"),
        ("Assistant", 'calls aap_inventory_search {"type": "inventory.search.request"}'),
    ]


def test_a_wrong_answer_is_shown_and_kept():
    shown = []
    visit = visit_of(ToolAnswer({}, is_error=False), shown)
    visit.check("3 match", got=4, expected=3)
    visit.check("right", got=1, expected=1)
    assert visit.mismatches == ["3 match: expected 3, got 4"]
    assert [speaker for speaker, _ in shown] == ["WRONG", "Checked"]


def test_an_error_in_place_of_an_answer_stops_the_tour_with_its_code():
    visit = visit_of(ToolAnswer({"code": "RATE_LIMITED"}, is_error=True), [])
    with pytest.raises(TourStopped, match="RATE_LIMITED"):
        asyncio.run(visit.ask("How many?", "aap_inventory_search"))


def test_an_answer_in_place_of_an_error_stops_the_tour():
    visit = visit_of(ToolAnswer({"data": {}}, is_error=False), [])
    with pytest.raises(TourStopped):
        asyncio.run(visit.ask_in_vain("And 99999?", "aap_inventory_vehicle"))
