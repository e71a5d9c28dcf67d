"""Fixtures for pytest: `mfano` for the session, and a `world` for each test."""

import pytest

from . import Mfano, World


def pytest_configure(config):
    config.addinivalue_line("markers", "world(scenario='slow-rails', seed=7): options of the world of this test")


@pytest.fixture(scope="session")
def mfano():
    with Mfano.start() as running:
        yield running


@pytest.fixture
def world(mfano, request):
    marker = request.node.get_closest_marker("world")
    made = mfano.world(**(marker.kwargs if marker else {}))
    yield made
    made.close()


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_makereport(item, call):
    """Adds what happened in its world to the report of a test that failed."""
    report = (yield).get_result()
    made = getattr(item, "funcargs", {}).get("world")
    if call.when == "call" and report.failed and isinstance(made, World):
        report.sections.append(("mfano", made.report()))
