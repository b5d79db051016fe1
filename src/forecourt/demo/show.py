"""The whole demo in order: prepare the folder, import the stock, serve, tour, and perhaps go on serving."""

import asyncio
import contextlib
import json
from collections.abc import Callable
from dataclasses import replace

from forecourt.base.ids import uuid7
from forecourt.demo.account import open_account
from forecourt.demo.client_settings import (
    claude_code,
    claude_code_http,
    codex,
    mcp_servers_json,
    vs_code_json,
)
from forecourt.demo.connections import Connection, over_http, over_stdio
from forecourt.demo.data_tour import (
    ask_again_after_a_lost_answer,
    meet_a_refusal,
    see_the_account,
    tell_two_cars_apart,
    value_the_chosen_car,
    value_the_published_car,
)
from forecourt.demo.dealer import DEALER_SLUG, dealer_stock, group_name, rooftops
from forecourt.demo.lead import book_a_test_drive, inbox, show_the_mail
from forecourt.demo.mailbox import Mailbox, open_mailbox
from forecourt.demo.processes import forecourt_command, refuse_a_taken_port, run_forecourt, running_server
from forecourt.demo.tour import (
    ask_for_what_is_not_there,
    count_small_motorcycles,
    find_a_hybrid_suv,
    find_a_long_range_electric,
    look_closer,
    meet_the_dealer,
    survey_the_stock,
)
from forecourt.demo.visit import Payload, Say, Visit
from forecourt.demo.workspace import Workspace, write_endpoints, write_inputs

Announce = Callable[[str], None]


def run_demo(workspace: Workspace, *, once: bool, announce: Announce, say: Say) -> bool:
    """Run the demo and return whether every answer was right.

    Without `once` it keeps serving after the tour until it is interrupted. Raises `PortTaken`,
    `FolderUnusable`, `CommandFailed` and `TourStopped`.
    """
    refuse_a_taken_port(workspace.port)
    with open_mailbox(workspace.mail_folder) as mailbox:
        workspace = replace(workspace, mail_port=mailbox.port)
        prepare(workspace, announce=announce)
        test_key = open_account(workspace, announce=announce)
        return _serve_and_tour(workspace, mailbox, test_key=test_key, once=once, announce=announce, say=say)


def _serve_and_tour(
    workspace: Workspace, mailbox: Mailbox, *, test_key: str, once: bool, announce: Announce, say: Say
) -> bool:
    with running_server(workspace) as server:
        write_endpoints(workspace, test_key=test_key)
        announce_endpoints(workspace, test_key=test_key, announce=announce)
        mismatches = asyncio.run(tour(workspace, mailbox, test_key=test_key, announce=announce, say=say))
        announce(_verdict(mismatches))
        if not once:
            announce_clients(workspace, announce=announce)
            announce(f"\nLeads arrive as mail in {workspace.mail_folder}.\nServing until Ctrl-C.")
            with contextlib.suppress(KeyboardInterrupt):
                server.wait()
    return not mismatches


def prepare(workspace: Workspace, *, announce: Announce) -> None:
    """Write the group's files and bring them in with the commands that any dealer uses."""
    announce(f"{group_name()}: {len(rooftops())} rooftops and {len(dealer_stock())} vehicles, all simulated.")
    write_inputs(workspace)
    profile, feed = str(workspace.profile_file), str(workspace.feed_file)
    again = ["--replace"] if _is_hosted(workspace) else []
    for arguments in (
        ["dealer", "add", DEALER_SLUG, "--profile", profile, *again],
        ["feed", "import", DEALER_SLUG, feed],
    ):
        announce(f"\n$ forecourt {' '.join(arguments)}")
        announce(run_forecourt(workspace, arguments).rstrip())


def _is_hosted(workspace: Workspace) -> bool:
    """Tell whether an earlier run has added the dealer to the database of the folder."""
    dealers = json.loads(run_forecourt(workspace, ["dealer", "list", "--json"]))
    return any(dealer["slug"] == DEALER_SLUG for dealer in dealers)


def announce_endpoints(workspace: Workspace, *, test_key: str, announce: Announce) -> None:
    """Say where everything is."""
    announce(f"\n$ forecourt serve\n\nEndpoints (also in {workspace.endpoints_file}):")
    for name, address in workspace.endpoints().items():
        announce(f"  {name:<16} {address}")
    announce(f"  {'test_key':<16} {test_key}")


def announce_clients(workspace: Workspace, *, announce: Announce) -> None:
    """Say how assistants are told of the dealer's tools, while this demo runs."""
    command = forecourt_command("mcp", "aap", "--dealer", workspace.dealer_url)
    announce("\nLet your own assistant ask (as documented, autumn 2026):")
    announce(f"  Claude Code     {claude_code(DEALER_SLUG, command)}")
    announce(f"  … over HTTP     {claude_code_http(DEALER_SLUG, workspace.endpoints()['dealer_mcp_url'])}")
    announce(f"  Claude Desktop  {mcp_servers_json(DEALER_SLUG, command)}")
    announce(f"  Cursor          {mcp_servers_json(DEALER_SLUG, command)}")
    announce(f"  VS Code         {vs_code_json(DEALER_SLUG, command)}")
    announce(f"  Codex           {codex(DEALER_SLUG, command)}")


async def tour(
    workspace: Workspace, mailbox: Mailbox, *, test_key: str, announce: Announce, say: Say
) -> list[str]:
    """Ask the dealer and the vehicle-data service everything; return what was answered wrong."""
    dealer = await _ask_the_dealer(workspace, mailbox, announce=announce, say=say)
    return dealer + await _ask_for_values(workspace, test_key=test_key, announce=announce, say=say)


async def _ask_the_dealer(
    workspace: Workspace, mailbox: Mailbox, *, announce: Announce, say: Say
) -> list[str]:
    async with over_http(workspace.endpoints()["dealer_mcp_url"]) as connection:
        await _introduce("over HTTP", connection, announce=announce)
        visit = Visit(connection.call_tool, say)
        vehicle = await _questions_over_http(visit)
        await _lead_over_http(visit, workspace, mailbox, vehicle=vehicle)
    async with over_stdio(workspace, "aap", "--dealer", workspace.dealer_url) as connection:
        await _introduce("over stdio, through `forecourt mcp aap`,", connection, announce=announce)
        return visit.mismatches + await _questions_over_stdio(Visit(connection.call_tool, say))


async def _ask_for_values(workspace: Workspace, *, test_key: str, announce: Announce, say: Say) -> list[str]:
    key = f"tour-{uuid7()}"
    async with over_http(workspace.endpoints()["mcp_url"], key=test_key) as connection:
        await _introduce("with the test key, at /mcp,", connection, announce=announce)
        visit = Visit(connection.call_tool, say, asker="Owner", answerer="Service")
        valuation_id = await _five_steps(visit, key=key)
    async with over_stdio(workspace, "data", key=test_key) as connection:
        await _introduce("over stdio, through `forecourt mcp data`,", connection, announce=announce)
        again = Visit(connection.call_tool, say, asker="Owner", answerer="Service")
        await ask_again_after_a_lost_answer(again, key=key, valuation_id=valuation_id)
        return visit.mismatches + again.mismatches


async def _five_steps(visit: Visit, *, key: str) -> str:
    await see_the_account(visit)
    chosen = await tell_two_cars_apart(visit)
    await value_the_chosen_car(visit, chosen, key=f"{key}-chosen")
    valuation_id = await value_the_published_car(visit, key=key)
    await meet_a_refusal(visit, key=f"{key}-refused")
    return valuation_id


async def _introduce(way: str, connection: Connection, *, announce: Announce) -> None:
    names = await connection.tool_names()
    announce(f"\nAn assistant {way} speaks MCP {connection.protocol_version} and finds {len(names)} tools:")
    announce(f"  {', '.join(names)}")


async def _questions_over_http(visit: Visit) -> Payload:
    """Ask about the stock; return the vehicle that the shopper likes."""
    stock = dealer_stock()
    await meet_the_dealer(visit)
    await survey_the_stock(visit, stock)
    cheapest = await find_a_hybrid_suv(visit, stock)
    return await look_closer(visit, stock, vin=cheapest["vin"])


async def _lead_over_http(visit: Visit, workspace: Workspace, mailbox: Mailbox, *, vehicle: Payload) -> None:
    earlier = await asyncio.to_thread(inbox, workspace)
    lead_id = await book_a_test_drive(visit, vehicle)
    await show_the_mail(visit, workspace, mailbox, lead_id=lead_id, earlier=earlier)


async def _questions_over_stdio(visit: Visit) -> list[str]:
    stock = dealer_stock()
    await find_a_long_range_electric(visit, stock)
    await count_small_motorcycles(visit, stock)
    await ask_for_what_is_not_there(visit)
    return visit.mismatches


def _verdict(mismatches: list[str]) -> str:
    if not mismatches:
        return "\nEvery answer is right."
    return f"\n{len(mismatches)} answers are wrong:\n  " + "\n  ".join(mismatches)
