"""An agent that speaks AG-UI. Python 3.9 or newer, nothing to install. PORT is in the environment, or it's 8000."""

import json
import os
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


def answer(run):
    """The events of a run, after its beginning and before its end."""
    text = run["messages"][-1].get("content", "")
    if text == "human" and any(tool["name"] == "hand_over" for tool in run["tools"]):
        call = {"toolCallId": f"call_{run['runId']}"}
        yield {"type": "TOOL_CALL_START", **call, "toolCallName": "hand_over"}
        yield {"type": "TOOL_CALL_ARGS", **call, "delta": json.dumps({"reason": "The visitor asked for a person"})}
        yield {"type": "TOOL_CALL_END", **call}
        return
    message = {"messageId": f"answer_{run['runId']}"}
    yield {"type": "TEXT_MESSAGE_START", **message, "role": "assistant"}
    for word in f"You said: {text}".split(" "):  # a model's tokens come here
        yield {"type": "TEXT_MESSAGE_CONTENT", **message, "delta": word + " "}
    yield {"type": "TEXT_MESSAGE_END", **message}


class Agent(BaseHTTPRequestHandler):
    def do_POST(self):
        run = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.end_headers()
        ids = {"threadId": run["threadId"], "runId": run["runId"]}
        self.send({"type": "RUN_STARTED", **ids, "protocolVersion": "1.0"})
        for event in answer(run):
            self.send(event)
        self.send({"type": "RUN_FINISHED", **ids, "outcome": {"type": "success"}})

    def send(self, event):
        self.wfile.write(f"data: {json.dumps(event)}\n\n".encode())


server = ThreadingHTTPServer(("127.0.0.1", int(os.environ.get("PORT", "8000"))), Agent)
print(f"listening on http://127.0.0.1:{server.server_port}", flush=True)
server.serve_forever()
