"""The manifest pipeline as an editor of the specification meets it."""

import json
import shutil
from pathlib import Path

import pytest
from click.testing import CliRunner

from forecourt.aap import manifest as pipeline
from forecourt.aap.skills import skills
from forecourt.cli.manifest import manifest

REPOSITORY = Path(__file__).resolve().parents[2]


@pytest.fixture
def checkout(tmp_path):
    shutil.copytree(REPOSITORY / "spec", tmp_path / "spec")
    return tmp_path


def run(command, checkout):
    return CliRunner().invoke(manifest, [command, "--checkout", str(checkout)])


def without_descriptions(value):
    if isinstance(value, dict):
        return {key: without_descriptions(item) for key, item in value.items() if key != "description"}
    return [without_descriptions(item) for item in value] if isinstance(value, list) else value


@pytest.mark.requirement("aap.mcp.manifest-frozen")
def test_build_release_and_verify_follow_each_other(checkout):
    assert "generated/latest/mcp.json" in run("build", checkout).output
    assert "releases/v1.3" in run("release", checkout).output
    assert run("verify", checkout).exit_code == 0
    frozen = checkout / "releases/v1.3/artifacts/mcp.json"
    assert frozen.read_bytes() == (checkout / "generated/latest/mcp.json").read_bytes()


@pytest.mark.requirement("aap.mcp.manifest-frozen")
def test_a_released_version_is_never_written_again(checkout):
    pipeline.write_draft(checkout)
    pipeline.freeze_release(checkout)
    with pytest.raises(pipeline.AlreadyReleased):
        pipeline.freeze_release(checkout)


@pytest.mark.requirement("aap.mcp.manifest-frozen")
def test_nothing_is_released_that_nobody_could_have_reviewed(checkout):
    with pytest.raises(pipeline.DraftOutdated):
        pipeline.freeze_release(checkout)
    draft = pipeline.write_draft(checkout)
    draft.write_bytes(draft.read_bytes() + b"\n")
    with pytest.raises(pipeline.DraftOutdated):
        pipeline.freeze_release(checkout)
    assert not (checkout / "releases").exists()


def test_a_changed_frozen_file_is_noticed(checkout):
    pipeline.write_draft(checkout)
    frozen = pipeline.freeze_release(checkout) / "artifacts/mcp.json"
    frozen.write_bytes(frozen.read_bytes().replace(b"aap_lead_submit", b"aap_lead_steal!"))
    with pytest.raises(pipeline.ReleaseDiffers):
        pipeline.verify_release(checkout)


def test_a_changed_specification_no_longer_verifies_against_its_release(checkout):
    pipeline.write_draft(checkout)
    pipeline.freeze_release(checkout)
    specification = checkout / "spec/latest/skills.yaml"
    specification.write_text(specification.read_text().replace("Everything the dealer", "What the dealer"))
    with pytest.raises(pipeline.ReleaseDiffers):
        pipeline.verify_release(checkout)


def test_a_version_without_release_and_a_folder_without_specification_are_told(checkout, tmp_path):
    with pytest.raises(pipeline.ReleaseMissing):
        pipeline.verify_release(checkout)
    with pytest.raises(pipeline.ReleaseMissing):
        pipeline.frozen_manifest("v0.9")
    with pytest.raises(pipeline.SpecificationMissing):
        pipeline.write_draft(tmp_path / "spec")


def test_the_release_in_this_checkout_verifies():
    assert run("verify", REPOSITORY).exit_code == 0


@pytest.mark.requirement("aap.mcp.manifest")
def test_the_frozen_manifest_equals_the_official_one_but_for_descriptions(shared):
    ours = json.loads(pipeline.frozen_manifest())
    official = json.loads((shared / "aap-v1.3/mcp.json").read_bytes())
    assert json.dumps(without_descriptions(ours)) == json.dumps(without_descriptions(official))
    for tool, official_tool in zip([ours, *ours["tools"]], [official, *official["tools"]], strict=True):
        assert list(tool) == list(official_tool)
        assert tool["description"] != official_tool["description"]


@pytest.mark.requirement("aap.mcp.tool-names")
def test_the_frozen_manifest_names_the_five_tools_in_order():
    names = [tool["name"] for tool in json.loads(pipeline.frozen_manifest())["tools"]]
    assert names == [skill.tool_name for skill in skills()]
    assert names == [
        "aap_dealer_information",
        "aap_inventory_facets",
        "aap_inventory_search",
        "aap_inventory_vehicle",
        "aap_lead_submit",
    ]
