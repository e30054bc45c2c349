"""Accounts that the run signs up for the calls that need a session."""

import re
import secrets
import time
from collections import Counter

import requests
from requests.adapters import HTTPAdapter

COOKIE = "__Host-plimsoll_session"
# The platform of npm start is http on the loopback, where the cookie of the document has no prefix.
LOCAL_COOKIE = COOKIE.removeprefix("__Host-")
# An account may make 120 calls a minute, and try 10 user codes.
CALLS_OF_AN_ACCOUNT = 100
CODES_OF_AN_ACCOUNT = 8
MAIL_SECONDS = 20
CODE = re.compile(r"/confirm-email#([\w-]+)")
OF_USER_CODES = {"showDeviceRequest", "approveDevice", "denyDevice"}
# A log-out ends the session, a second key is above the cap, and wrong passwords are limited: an account for each.
ONCE = {"logOut", "createKey", "changePassword", "endSession", "confirmSession"}


send = HTTPAdapter.send


def send_local_cookie(self, request, **kwargs):
    if "Cookie" in request.headers:
        request.headers["Cookie"] = request.headers["Cookie"].replace(COOKIE, LOCAL_COOKIE)
    return send(self, request, **kwargs)


# Here, because checks of schemathesis take the cookie of the document away and send the request again.
HTTPAdapter.send = send_local_cookie


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
        self.confirm(person["email"])
        return self.post("log-in", person).cookies[LOCAL_COOKIE]

    def confirm(self, email):
        """Confirms the address with the code of its mail. The platform of npm start keeps mails instead of sending them."""
        deadline = time.monotonic() + MAIL_SECONDS
        while time.monotonic() < deadline:
            answer = requests.get(f"{self.origin}/portal/mail.json", timeout=20)
            answer.raise_for_status()
            for mail in answer.json()["mails"]:
                if mail["to"] == email and (code := CODE.search(mail["text"])):
                    self.post("email-check/confirm", {"token": code[1]})
                    return
            time.sleep(0.05)
        raise TimeoutError(f"no mail to {email} in {MAIL_SECONDS} s")

    def post(self, route, body):
        headers = {"X-Forwarded-For": self.new_address()}
        answer = requests.post(f"{self.origin}/account/v1/{route}", json=body, headers=headers, timeout=20)
        answer.raise_for_status()
        return answer
