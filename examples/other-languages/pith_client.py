"""Pith from Python: a client of `pith serve` in one file, with the standard library alone (Python 3.9 or later).

Copy this file into your program. To see it work, start a server (`pith serve`, which prints its address), make a token
(`pith serve token add python`), and run: PITH_URL=http://127.0.0.1:7484 PITH_TOKEN=... python3 pith_client.py
"""

import json
import os
import sys
import time
import urllib.error
import urllib.parse
import urllib.request
import uuid


class PithError(Exception):
    """A refusal of the server: one line that says what is wrong, and a code to decide by."""

    def __init__(self, status, code, message):
        super().__init__(message)
        self.status, self.code = status, code


class Pith:
    """A server. `shape` is the form of your messages: openai, openai-responses, anthropic or ai-sdk."""

    def __init__(self, url, token, shape="openai", timeout=300):
        self.url, self.token, self.shape, self.timeout = url.rstrip("/"), token, shape, timeout

    def session(self, id=None, **settings):
        """Opens a session, or makes one: title, model (Pith must know its window), policy, workspace."""
        return Session(self, id or self.call("POST", "/v1/sessions", settings)["id"])

    def search(self, words, limit=20):
        """The best hits in all sessions of this token."""
        return self.call("GET", "/v1/search", q=words, limit=limit)["hits"]

    def memory(self, folder):
        """What earlier sessions in a folder left for the next one: the start of a system prompt."""
        return self.call("GET", "/v1/memory", folder=folder)["text"]

    def call(self, method, path, body=None, **query):
        """Any route of docs/http.md. The key makes it safe to send a request again if its answer was lost."""
        url = self.url + path + ("?" + urllib.parse.urlencode(query) if query else "")
        headers = {"Authorization": "Bearer " + self.token, "Content-Type": "application/json"}
        if method == "POST":
            headers["Idempotency-Key"] = str(uuid.uuid4())
        data = None if body is None else json.dumps(body).encode()
        for tries_left in (3, 2, 1, 0):
            request = urllib.request.Request(url, data=data, headers=headers, method=method)
            try:
                with urllib.request.urlopen(request, timeout=self.timeout) as answer:
                    return json.load(answer)
            except urllib.error.HTTPError as refused:
                error = _error_of(refused)
                if refused.code not in (429, 503) or tries_left == 0:
                    raise error from None
                time.sleep(float(refused.headers.get("Retry-After") or 1))
            except (urllib.error.URLError, ConnectionError, TimeoutError) as lost:
                if tries_left == 0:
                    reason = getattr(lost, "reason", lost)
                    raise PithError(0, "no-server", f"{self.url} does not answer: {reason}") from None
                time.sleep(1)


class Session:
    """A conversation. The server keeps all of it; `fit` gives the messages that fit the window."""

    def __init__(self, pith, id):
        self.pith, self.id = pith, id
        self.status = {}  # how full the context is, after the last call: tokens, window, percent
        self.system = []  # texts for the end of your system prompt; only the presets koda, agent and kit have any

    def append(self, *messages, usage=None, model=None):
        """Adds messages in the shape of your SDK. `usage` is the provider's count for the last answer among them."""
        body = {"shape": self.pith.shape, "items": messages, "usage": usage, "model": model}
        return self._call("POST", "/messages", {key: value for key, value in body.items() if value is not None})

    def fit(self):
        """Compacts if it is due, and returns the messages to send to the model now."""
        self.compact(when="due")
        view = self._call("GET", "/view", shape=self.pith.shape)
        self.system = view["system"]
        return view["messages"]

    def compact(self, **settings):
        """Compacts now: focus, model, policy, dry_run."""
        return self._call("POST", "/compact", settings)

    def undo(self):
        return self._call("POST", "/undo", {})

    def recall(self, words=None, handles=None):
        """Everything that was ever said can be found by words, or read by the handles of a record (#12)."""
        found = self._call("GET", "/recall", **({"q": words} if handles is None else {"handles": handles}))
        return found["hits"] if handles is None else found["entries"]

    def _call(self, method, path, body=None, **query):
        path = f"/v1/sessions/{urllib.parse.quote(self.id, safe='')}{path}"
        answer = self.pith.call(method, path, body, **query)
        self.status = answer.get("status", self.status)
        return answer


def _error_of(refused):
    try:
        error = json.load(refused)["error"]
        return PithError(refused.code, error["code"], error["message"])
    except (ValueError, KeyError, TypeError):
        return PithError(refused.code, "no-pith-server", f"{refused.url} answered {refused.code}: not a Pith server?")


def main():
    pith = Pith(os.environ.get("PITH_URL", ""), os.environ.get("PITH_TOKEN", ""))
    if not (pith.url and pith.token):
        sys.exit("pith: set PITH_URL and PITH_TOKEN")
    session = pith.session(title="from Python", policy={"model_auto_compact_token_limit": 3000})
    largest = 0
    for page in range(1, 16):
        session.append({"role": "user", "content": f"What does page {page} say?"})
        call = {"id": f"c{page}", "type": "function", "function": {"name": "read", "arguments": f'{{"page": {page}}}'}}
        session.append({"role": "assistant", "content": None, "tool_calls": [call]})
        session.append({"role": "tool", "tool_call_id": f"c{page}", "content": f"heron{page} nests here. " * 60})
        session.fit()  # send these messages to your model, and append its answer with the usage that it reports
        largest = max(largest, session.status["tokens"])
        session.append({"role": "assistant", "content": f"Page {page} is about heron{page}."})
    before = session.status["tokens"]
    session.undo()
    print(f"at most {largest} tokens were sent; at the end {before}, and after an undo {session.status['tokens']}")
    best = session.recall("heron3 nests")[0]
    print(f"recall found #{best['seq']} ({best['role']}, {best['tool']})")


if __name__ == "__main__":
    try:
        main()
    except PithError as error:
        sys.exit(f"pith: {error}")
