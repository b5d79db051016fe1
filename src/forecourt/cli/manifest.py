"""`forecourt manifest`: from `skills.yaml` to the frozen MCP manifest."""

from pathlib import Path

import click

_checkout = click.option(
    "--checkout",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    default=".",
    show_default=True,
    help="Folder that holds spec/ and releases/.",
)


@click.group()
def manifest() -> None:
    """Build, release and verify the published MCP manifest."""


@manifest.command()
@_checkout
def build(*, checkout: Path) -> None:
    """Write generated/latest/mcp.json from spec/latest/skills.yaml."""
    from forecourt.aap.manifest import write_draft

    click.echo(f"Built {write_draft(checkout)}.")


@manifest.command()
@_checkout
def release(*, checkout: Path) -> None:
    """Freeze the built manifest under releases/; a released version is never written again."""
    from forecourt.aap.manifest import freeze_release

    click.echo(f"Released {freeze_release(checkout)}.")


@manifest.command()
@_checkout
def verify(*, checkout: Path) -> None:
    """Check the frozen manifest against its hash and against a fresh build."""
    from forecourt.aap.manifest import verify_release

    click.echo(f"{verify_release(checkout)} is what was released and what the specification says.")
