"""Recomputes figures of a running platform through its API, apart from its code (Python 3, standard library).

    npm start -- --detach && npm run market -- pause && npm run tool -- verify:api

Base URL and enterprise key: --base-url and --key, or PLIMSOLL_BASE_URL and PLIMSOLL_API_KEY, or .local/demo.json. All calls
about a position are repeated until they answer from one block. Exit code 1 when a figure differs or is absent.
"""

import argparse
import json
import os
import sys
import time
import urllib.error
import urllib.request
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import api_position
import api_portfolio

DEMO_FILE = Path(__file__).resolve().parents[2] / ".local" / "demo.json"
TIMEOUT_S = 20
ATTEMPTS = 25
PARALLEL = 6


class Api:
    def __init__(self, base_url, key):
        self.base_url, self.key = base_url.rstrip("/"), key
        self.pool = ThreadPoolExecutor(PARALLEL)

    def call(self, path, body=None):
        """The JSON answer; raises on any other status than 2xx. A 429 or 503 is asked again after its Retry-After."""
        data = None if body is None else json.dumps(body).encode()
        headers = {"x-api-key": self.key, "content-type": "application/json"}
        for attempt in range(ATTEMPTS):
            request = urllib.request.Request(self.base_url + path, data=data, headers=headers)
            try:
                with urllib.request.urlopen(request, timeout=TIMEOUT_S) as answer:
                    return json.load(answer)
            except urllib.error.HTTPError as error:
                if error.code not in (429, 503) or attempt == ATTEMPTS - 1:
                    raise SystemExit(f"{path}: HTTP {error.code} {error.read().decode()[:400]}") from error
                time.sleep(min(30.0, float(error.headers.get("retry-after") or 1)))

    def at_one_block(self, calls, chains=None):
        """Answers by name that all are from one block, and whether they are. `calls`: (path, body) by name."""
        answers = {}
        for _ in range(ATTEMPTS):
            pending = {name: self.pool.submit(self.call, *call) for name, call in calls.items()}
            answers = {name: future.result() for name, future in pending.items()}
            if len({blocks_of(answer, chains) for answer in answers.values()}) == 1:
                return answers, True
        return answers, False


def blocks_of(answer, chains):
    stamps = (answer["asOfBlock"], answer["blockHash"])
    return tuple(
        tuple(sorted((chain, at) for chain, at in stamp.items() if chains is None or chain in chains))
        for stamp in stamps
    )


class Figures:
    """What was compared: by figure the positions, the largest difference and the mismatches."""

    def __init__(self):
        self.rows = {}

    def row(self, figure):
        return self.rows.setdefault(figure, {"positions": set(), "difference": 0.0, "wrong": [], "absent": set()})

    def number(self, figure, subject, actual, expected, tolerance=1e-9):
        """Differences are relative, absolute below 1; two None are the same."""
        if actual is None or expected is None:
            return self.same(figure, subject, actual, expected)
        expected, actual = float(expected), float(actual)
        difference = abs(actual - expected) / max(1.0, abs(expected))
        self.note(figure, subject, difference, not difference <= tolerance, actual, expected)

    def same(self, figure, subject, actual, expected):
        self.note(figure, subject, 0.0 if actual == expected else 1.0, actual != expected, actual, expected)

    def note(self, figure, subject, difference, is_wrong, actual, expected):
        row = self.row(figure)
        row["positions"].add(subject)
        row["difference"] = max(row["difference"], difference)
        if is_wrong:
            row["wrong"].append(f"{subject}: {actual!r}, expected {expected!r}")

    def absent(self, figure, subject):
        self.row(figure)["absent"].add(subject)

    def verdict(self, row, allow_absent):
        if row["wrong"]:
            return "differs"
        if row["absent"]:
            return "absent" if not allow_absent else "absent, allowed"
        return "agrees"


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--base-url", default=os.environ.get("PLIMSOLL_BASE_URL"))
    parser.add_argument("--key", default=os.environ.get("PLIMSOLL_API_KEY"))
    parser.add_argument("--positions", type=int, default=20)
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--allow-absent", action="store_true", help="fields of later releases may be absent")
    options = parser.parse_args()
    if not (options.base_url and options.key):
        if not DEMO_FILE.exists():
            parser.error("name --base-url and --key, or start the demo: npm start -- --detach")
        demo = json.loads(DEMO_FILE.read_text())
        options.base_url = options.base_url or demo["baseUrl"]
        options.key = options.key or demo["keys"]["enterprise"]
    return options


def main():
    options = arguments()
    api, figures = Api(options.base_url, options.key), Figures()
    chosen = api_position.choose(api, options.positions)
    for position in chosen:
        api_position.check(api, figures, position)
    api_portfolio.check(api, figures, chosen)
    api_portfolio.check_market(api, figures)
    verdicts = {name: figures.verdict(row, options.allow_absent) for name, row in figures.rows.items()}
    is_right = len(chosen) == options.positions and all(
        verdict in ("agrees", "absent, allowed") for verdict in verdicts.values()
    )
    if options.json:
        report = {
            name: {
                "positions": len(row["positions"]),
                "maxDifference": row["difference"],
                "verdict": verdicts[name],
                "mismatches": row["wrong"],
            }
            for name, row in figures.rows.items()
        }
        print(json.dumps({"figures": report, "positions": len(chosen), "agrees": is_right}, indent=2))
    else:
        print_table(figures.rows, verdicts, len(chosen))
    return 0 if is_right else 1


def print_table(rows, verdicts, positions):
    width = max(map(len, rows))
    print(f"{'figure':<{width}} | positions | max difference | verdict")
    for name, row in rows.items():
        print(f"{name:<{width}} | {len(row['positions']):>9} | {row['difference']:>14.2e} | {verdicts[name]}")
        for wrong in row["wrong"][:3]:
            print(f"    {wrong[:300]}")
    agreeing = sum(verdict == "agrees" for verdict in verdicts.values())
    print(f"{agreeing} of {len(rows)} figures agree, over {positions} positions.")


if __name__ == "__main__":
    sys.exit(main())
