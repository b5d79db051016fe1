"""Every setting, read once from the environment (`FORECOURT_*`) over `forecourt.toml`, then frozen.

The field descriptions are the documentation: `docs/configuration.md` is checked against them.
"""

import os
from collections.abc import Mapping
from ipaddress import IPv4Network, IPv6Network
from pathlib import Path
from typing import Annotated, Any, Literal
from urllib.parse import urlsplit

from pydantic import Field, ValidationError, field_validator
from pydantic_settings import (
    BaseSettings,
    NoDecode,
    PydanticBaseSettingsSource,
    SettingsConfigDict,
    TomlConfigSettingsSource,
)

from forecourt.base.errors import InvalidInput

CONFIG_VARIABLE = "FORECOURT_CONFIG"
OUTSIDE = {CONFIG_VARIABLE, "FORECOURT_API_KEY", "FORECOURT_SHARED", "FORECOURT_TEST_POSTGRESQL"}
"""Variables that start like settings but are read elsewhere."""

Network = IPv4Network | IPv6Network


class WrongSettings(InvalidInput):
    """A setting has a value that cannot be used; the message names each and says why."""

    code = "wrong_settings"


class Settings(BaseSettings):
    """The settings of one process. Build it with `read_settings`, which explains what is wrong."""

    model_config = SettingsConfigDict(
        env_prefix="FORECOURT_", frozen=True, extra="forbid", env_ignore_empty=True, hide_input_in_errors=True
    )

    data_dir: Path = Field(
        Path("data"), description="Folder of the SQLite database and of the files that the server keeps."
    )
    database_url: str = Field(
        "",
        description="`sqlite:///FILE` or `postgresql+psycopg://USER@HOST/NAME`; "
        "without it a SQLite file `forecourt.db` in the data folder.",
    )
    public_url: str = Field(
        "http://127.0.0.1:8080",
        description="The address under which clients reach this server, without a path. Agent cards and "
        "links are built from it, never from a request's Host header.",
    )
    host: str = Field("127.0.0.1", description="Address to listen on.")
    port: int = Field(8080, ge=1, le=65535, description="Port to listen on.")
    workers: int = Field(1, ge=1, le=64, description="Server processes.")
    trusted_proxies: Annotated[tuple[Network, ...], NoDecode] = Field(
        (),
        description="Networks, separated by commas, whose `X-Forwarded-For` is believed "
        "when the caller's address is looked for.",
    )
    log_level: Literal["debug", "info", "warning", "error"] = Field("info", description="Least level to log.")
    log_format: Literal["text", "json"] = Field("text", description="Lines for people or for machines.")
    fetch_allow: Annotated[tuple[str, ...], NoDecode] = Field(
        (),
        description="What outgoing requests may reach although it is private, loopback or plain http: "
        "`host`, `host:port` or `scheme://host:port`, comma-separated; `*.example.com` and `:*` match any.",
    )
    requests_per_minute: int = Field(
        60, ge=1, description="Vehicle-data calls per minute and API key; a test key has half of every limit."
    )
    catalogue_per_minute: int = Field(
        120, ge=1, description="Calls to the catalogue per minute and API key, beside the others."
    )
    valuations_per_minute: int = Field(30, ge=1, description="Valuations per minute and API key.")
    concurrent_valuations: int = Field(
        5, ge=1, description="Valuations of one organisation that may run at once."
    )
    plate_lookup_cost: int = Field(
        0,
        ge=0,
        description="Credits for a live plate lookup that finds the car, for registers that cost money.",
    )
    agent_rate_per_minute: int = Field(
        6000, ge=0, description="A2A and adapter requests per minute and caller's address; 0 means no limit."
    )
    mail_server: str = Field(
        "",
        pattern=r"^(?:[\w.-]+(?::\d{1,5})?)?$",
        description="`host:port` of the mail server that takes alarms about silent feeds; without it they "
        "are logged only.",
    )
    mail_sender: str = Field("forecourt@localhost", description="The sender's address of alarm mails.")
    leads_per_contact_per_hour: int = Field(
        20,
        ge=0,
        description="New leads per hour from one e-mail address or telephone number, in each worker; "
        "0 means no limit. Retries and duplicates do not count.",
    )
    leads_per_agent_per_hour: int = Field(
        1000, ge=0, description="New leads per hour from one source agent, in each worker; 0 means no limit."
    )
    register_rdw: bool = Field(
        default=True, description="Look Dutch plates up in the open data of RDW, which need no key."
    )
    register_rdw_app_token: str = Field(
        "",
        repr=False,
        description="Application token for the open data of RDW, which throttle callers without one.",
    )
    register_dvla_key: str = Field(
        "",
        repr=False,
        description="Key of the vehicle enquiry service of the DVLA; with it British plates are looked up.",
    )
    register_vegvesen_key: str = Field(
        "", repr=False, description="Key of Statens vegvesen; with it Norwegian plates are looked up."
    )
    register_file: Path | None = Field(
        None,
        description="CSV file of plates of one's own; for the countries in it no public register is asked.",
    )
    require_a2a_version: bool = Field(
        default=False,
        description="Refuse requests without the `A2A-Version` header (-32009); otherwise 1.0 is assumed.",
    )
    require_aap_extension: bool = Field(
        default=False,
        description="Refuse requests that do not declare the AAP extension (-32008).",
    )
    check_answers: bool = Field(
        default=False,
        description="Validate every answer of the dealer agent against its schema (for debugging).",
    )

    secret_key: str = Field(
        "",
        repr=False,
        description="At least 32 characters under which tokens are kept as keyed digests; without it a file "
        "`secret.key` in the data folder, made at the first start. With PostgreSQL it must be given.",
    )
    key_prefix: str = Field(
        "au_", pattern=r"^[a-z]{2,8}_$", description="How API keys begin: 2 to 8 letters and an underscore."
    )
    server_name: str = Field(
        "autouncle_data", min_length=1, max_length=64, description="Name of the vehicle-data MCP server."
    )
    service_name: str = Field(
        "Forecourt",
        min_length=1,
        max_length=64,
        description="Name of the vehicle-data service in its documents and attribution texts.",
    )
    valuation_retention_days: int = Field(
        90, ge=7, description="Days for which valuations are kept; the ledger is kept for good."
    )

    @field_validator("trusted_proxies", "fetch_allow", mode="before")
    @classmethod
    def split_list(cls, value: Any) -> Any:
        """Read a comma-separated list from the environment."""
        if isinstance(value, str):
            return [item.strip() for item in value.split(",") if item.strip()]
        return value

    @field_validator("key_prefix")
    @classmethod
    def not_that_of_tokens(cls, value: str) -> str:
        """Keep keys apart from the access tokens of OAuth."""
        if value == "oat_":
            raise ValueError("access tokens begin like that; choose another one")
        return value

    @field_validator("public_url")
    @classmethod
    def absolute_origin(cls, value: str) -> str:
        """Accept a scheme, a host and perhaps a port, nothing after."""
        parts = urlsplit(value)
        if parts.scheme not in {"http", "https"} or not parts.hostname or parts.username:
            raise ValueError("give an absolute http or https address such as https://cars.example.com")
        if parts.path not in {"", "/"} or parts.query or parts.fragment:
            raise ValueError("give the address without a path, query or fragment")
        return value.rstrip("/")

    @classmethod
    def settings_customise_sources(
        cls,
        settings_cls: type[BaseSettings],
        init_settings: PydanticBaseSettingsSource,
        env_settings: PydanticBaseSettingsSource,
        dotenv_settings: PydanticBaseSettingsSource,
        file_secret_settings: PydanticBaseSettingsSource,
    ) -> tuple[PydanticBaseSettingsSource, ...]:
        """Let arguments win over the environment, and the environment over the file."""
        del dotenv_settings, file_secret_settings
        return init_settings, env_settings, TomlConfigSettingsSource(settings_cls, toml_file=_config_file())

    @property
    def effective_database_url(self) -> str:
        """The database to open: the given one, else the file in the data folder."""
        return self.database_url or f"sqlite:///{self.data_dir / 'forecourt.db'}"


def read_settings(**given: Any) -> Settings:
    """Read the settings; `given` values (options of a command) win over the environment and the file.

    Raises `WrongSettings`, naming each wrong or unknown setting with the reason.
    """
    _refuse_unknown_variables(os.environ)
    try:
        return Settings(**{name: value for name, value in given.items() if value is not None})
    except ValidationError as error:
        raise WrongSettings("; ".join(_reasons(error))) from None
    except ValueError as error:  # tomllib.TOMLDecodeError says line and column
        raise WrongSettings(f"{_config_file()} cannot be read: {error}") from None


def _reasons(error: ValidationError) -> list[str]:
    return [
        f"FORECOURT_{str(problem['loc'][0]).upper()}: {problem['msg'].removeprefix('Value error, ')}"
        if problem["loc"]
        else problem["msg"]
        for problem in error.errors(include_input=False, include_url=False)
    ]


def _refuse_unknown_variables(environment: Mapping[str, str]) -> None:
    """A misspelt variable must not be ignored in silence."""
    known = {f"FORECOURT_{name.upper()}" for name in Settings.model_fields} | OUTSIDE
    unknown = sorted(name for name in environment if name.startswith("FORECOURT_") and name not in known)
    if unknown:
        raise WrongSettings(f"unknown settings: {', '.join(unknown)}")


def _config_file() -> Path:
    return Path(os.environ.get(CONFIG_VARIABLE, "forecourt.toml"))
