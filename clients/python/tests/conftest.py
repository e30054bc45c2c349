"""The platform under test: PLIMSOLL_URL, PLIMSOLL_API_KEY (enterprise) and WALLET name it."""

import os
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from queue import Queue
from threading import Thread

import pytest

from plimsoll import Plimsoll


def _variable(name: str) -> str:
    value = os.environ.get(name)
    if not value:
        pytest.fail(f"{name} is not set. Run npm run tool -- python-client, which starts with a running platform.")
    return value


@pytest.fixture(scope="session")
def url() -> str:
    return _variable("PLIMSOLL_URL")


@pytest.fixture(scope="session")
def key() -> str:
    return _variable("PLIMSOLL_API_KEY")


@pytest.fixture(scope="session")
def wallet() -> str:
    return _variable("WALLET")


@pytest.fixture
def client(url: str, key: str) -> Iterator[Plimsoll]:
    with Plimsoll(key, url) as made:
        yield made


class Receiver:
    """Receives webhooks on loopback."""

    def __init__(self) -> None:
        self.requests: Queue[tuple[bytes, dict[str, str]]] = Queue()
        requests = self.requests

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["content-length"]))
                requests.put((body, dict(self.headers)))
                self.send_response(204)
                self.end_headers()

            def log_message(self, format: str, *args: object) -> None:
                pass

        self._server = HTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self._server.server_port}/hook"
        Thread(target=self._server.serve_forever, daemon=True).start()

    def close(self) -> None:
        self._server.shutdown()
        self._server.server_close()


@pytest.fixture
def receiver() -> Iterator[Receiver]:
    made = Receiver()
    yield made
    made.close()
