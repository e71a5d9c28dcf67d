"""What Chama is told from outside."""

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True)
class Settings:
    base_url: str
    """The payments service."""
    api_key: str
    api_secret: str
    company_id: str
    callback_secret: str | None = None
    """Callbacks are taken only when they are signed with it; unsigned ones are, where there is none."""
    public_url: str | None = None
    """Where the service reaches Chama: http://localhost:{port} unless given."""
    port: int = 3000
    """0 takes any free port."""
    database: str = "chama.sqlite"
    pay_timeout: float = 30.0
    """Seconds to wait for an answer to something that moves money. After that, nobody knows."""
    read_timeout: float = 10.0
    """Seconds to wait for an answer to anything else."""


def read_settings(env: Mapping[str, str]) -> Settings:
    """Reads the environment; raises ValueError with the name of whatever is missing or no number."""

    def text(name: str) -> str:
        if not env.get(name):
            raise ValueError(f"{name} is not set: see README.md for the settings.")
        return env[name]

    def number(name: str, default: float) -> float:
        try:
            return float(env.get(name, default))
        except ValueError:
            raise ValueError(f"{name}: expected a number such as {default:g}, got {env[name]!r}") from None

    public_url = env.get("PUBLIC_URL")
    return Settings(
        base_url=text("PAYMENTS_BASE_URL").rstrip("/"),
        api_key=text("PAYMENTS_API_KEY"),
        api_secret=text("PAYMENTS_API_SECRET"),
        company_id=text("PAYMENTS_COMPANY_ID"),
        callback_secret=env.get("PAYMENTS_CALLBACK_SECRET"),
        public_url=public_url and public_url.rstrip("/"),
        port=int(number("PORT", 3000)),
        database=env.get("DATABASE", "chama.sqlite"),
        pay_timeout=number("PAYMENTS_PAY_TIMEOUT", 30),
        read_timeout=number("PAYMENTS_READ_TIMEOUT", 10),
    )
