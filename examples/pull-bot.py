"""Repeats what visitors say. Python 3.9 or newer, nothing to install; PARLEY_URL and PARLEY_TOKEN are in the environment."""

import json
import os
import signal
import sys
import time
import urllib.error
import urllib.request

URL = os.environ.get("PARLEY_URL", "http://127.0.0.1:3000").rstrip("/")
TOKEN = os.environ["PARLEY_TOKEN"]
WAIT = 25  # seconds for which Parley waits for an event


def call(method, path, body=None, key=None):
    """The status and the answer; repeats what may succeed the next time, with the same key."""
    headers = {"Authorization": f"Bearer {TOKEN}", "Content-Type": "application/json"}
    if key:
        headers["Idempotency-Key"] = key
    data = None if body is None else json.dumps(body).encode()
    pause = 0.5
    while True:
        request = urllib.request.Request(URL + "/api/bot" + path, data, headers, method=method)
        after = None
        try:
            with urllib.request.urlopen(request, timeout=WAIT + 15) as response:
                return response.status, json.load(response)
        except urllib.error.HTTPError as error:
            if error.code < 500 and error.code != 429:
                return error.code, problem_of(error)
            after = error.headers.get("Retry-After")
        except (OSError, ValueError):
            pass  # no connection, or half an answer
        time.sleep(float(after) if after and after.isdigit() else pause)
        pause = min(pause * 2, 30)


def problem_of(error):
    """The problem that Parley answered; a proxy before it may have answered something else."""
    try:
        return json.load(error)
    except (OSError, ValueError):
        return {"code": "", "detail": f"answered {error.code}"}


def handle(event):
    message, chat = event["data"].get("message"), event["data"]["chat"]
    if not message or message["sender"]["type"] != "VISITOR" or chat["owner"] != "BOT":
        return
    if message["content"] == "human":
        body = {"chatId": chat["id"], "reason": "asked for a person", "ifOwner": "BOT"}
        status, answer = call("POST", "/transfer", body, event["id"])
    else:
        reply = {"chatId": chat["id"], "content": f"You said: {message['content']}"[:5000], "ifOwner": "BOT"}
        # The event's id is the key: an event that comes again has its effect once.
        status, answer = call("POST", "/messages", reply, event["id"])
    if status >= 400:
        print(event["id"], status, answer.get("code"), file=sys.stderr)  # 409: people have it, or it has ended


signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))  # what is not acknowledged comes again
query = f"?wait={WAIT}"
print("Waiting for events", flush=True)
while True:
    status, answer = call("GET", f"/events{query}")
    if status != 200:  # 401, or 409: another copy of this bot runs
        sys.exit(f"{status} {answer.get('code')}: {answer.get('detail')}")
    for event in answer["events"]:
        handle(event)
    query = f"?wait={WAIT}&ack={answer['ack']}"  # only now: what was not acknowledged comes again
