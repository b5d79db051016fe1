"""The root command: groups are imported when they are used, errors become one line and an exit code."""

import importlib
import sys
from typing import Any

import click

from forecourt import __version__
from forecourt.base.errors import ForecourtError

# name of the command: (module that holds it under the same name, help line)
COMMANDS = {
    "catalogue": ("forecourt.cli.catalogue", "Search the catalogue of cars; add to it."),
    "check": ("forecourt.cli.check", "Check anyone's dealer agent for conformance."),
    "credits": ("forecourt.cli.credits", "Grant and check credits."),
    "db": ("forecourt.cli.db", "Prepare the database."),
    "dealer": ("forecourt.cli.dealer", "Add and list the dealers hosted here."),
    "decode": ("forecourt.cli.decode", "Say which car a VIN, type key or plate means."),
    "demo": ("forecourt.cli.demo", "Show it all on a simulated dealer group."),
    "feed": ("forecourt.cli.feed", "Import a dealer's stock."),
    "key": ("forecourt.cli.key", "Create, list, rotate and revoke API keys."),
    "leads": ("forecourt.cli.leads", "Read, resend, export and erase leads."),
    "manifest": ("forecourt.cli.manifest", "Build, release and verify the MCP manifest."),
    "market": ("forecourt.cli.market", "Take in the listings that others advertise."),
    "mcp": ("forecourt.cli.mcp", "Run an MCP server over stdio or HTTP."),
    "normalize": ("forecourt.cli.normalize", "Say which car a text means."),
    "org": ("forecourt.cli.org", "Create, set and list organisations."),
    "serve": ("forecourt.cli.serve", "Run the server."),
    "user": ("forecourt.cli.user", "Add, list and remove the people of an organisation."),
}


class LazyGroup(click.Group):
    """A group whose commands are imported only when one of them is called."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Name every command without importing any."""
        del ctx
        return sorted(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import the module of one command."""
        del ctx
        if cmd_name not in COMMANDS:
            return None
        module, _ = COMMANDS[cmd_name]
        command: click.Command = getattr(importlib.import_module(module), cmd_name)
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the help lines from the table, so that `--help` imports nothing."""
        del ctx
        with formatter.section("Commands"):
            formatter.write_dl([(name, text) for name, (_, text) in sorted(COMMANDS.items())])


@click.group(
    cls=LazyGroup, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100}
)
@click.version_option(__version__, prog_name="forecourt")
def cli() -> None:
    """Real dealer stock and honest vehicle values for AI assistants."""


def main(arguments: list[str] | None = None) -> None:
    """Run the command line. Exit codes: 0 done, 1 refused or failed, 2 wrong usage, 130 interrupted."""
    sys.exit(_run(arguments))


def _run(arguments: list[str] | None) -> int:
    try:
        result: Any = cli.main(args=arguments, prog_name="forecourt", standalone_mode=False)
    except click.ClickException as error:
        error.show()
        return error.exit_code
    except click.Abort:
        click.echo("Interrupted.", err=True)
        return 130
    except ForecourtError as error:
        click.echo(f"forecourt: {error.message} ({error.code})", err=True)
        return 1
    except BrokenPipeError:
        sys.stderr.close()
        return 1
    return result if isinstance(result, int) else 0
