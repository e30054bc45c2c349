"""Accounts that the run signs up for the calls that need a session."""

import secrets
from collections import Counter

import requests

COOKIE = "__Host-plimsoll_session"
# No name of the loopback: taken for https, whose cookie is the one of the document.
HOST = "contract.example"
# An account may make 120 calls a minute, and try 10 user codes.
CALLS_OF_AN_ACCOUNT = 100
CODES_OF_AN_ACCOUNT = 8
OF_USER_CODES = {"showDeviceRequest", "approveDevice", "denyDevice"}
# A log-out ends the session, a second key is above the cap, and wrong passwords are limited: an account for each.
ONCE = {"logOut", "createKey", "changePassword", "endSession", "confirmSession"}


class Accounts:
    """Session tokens, each good for a number of calls."""

    def __init__(self, origin, new_address):
        self.origin = origin
        self.new_address = new_address
        self.tokens = {}
        self.calls = Counter()
        self.owners = {}

    def token_for(self, operation_id, record_id):
        """The owner's for a key that the run made; else that of an account that can make this call."""
        owner = self.owners.get(record_id)
        if operation_id in ONCE:
            return self.sign_up()
        tries_codes = operation_id in OF_USER_CODES
        most = CODES_OF_AN_ACCOUNT if tries_codes else CALLS_OF_AN_ACCOUNT
        token = owner if owner and self.calls[owner] < most else self.tokens.get(tries_codes)
        if token is None or self.calls[token] >= most:
            token = self.tokens[tries_codes] = self.sign_up()
        self.calls[token] += 1
        return token

    def own(self, record_id, token):
        self.owners[record_id] = token

    def sign_up(self):
        person = {"email": f"{secrets.token_hex(8)}@contract.example", "password": secrets.token_hex(16)}
        self.post("sign-up", person)
        return self.post("log-in", person).cookies[COOKIE]

    def post(self, route, body):
        headers = {"Host": HOST, "X-Forwarded-For": self.new_address()}
        answer = requests.post(f"{self.origin}/account/v1/{route}", json=body, headers=headers, timeout=20)
        answer.raise_for_status()
        return answer
