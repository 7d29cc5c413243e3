#!/usr/bin/env python3
"""Cites over HTTP with the standard library alone.

    muniment -C letters serve
    python3 cite.py http://127.0.0.1:8437 letter-07.txt "the mill wheel has stoped" "The mill wheel has stopped."

It cites once and, where the reply has a next call, makes that call. A token is read
from MUNIMENT_TOKEN. Exit 0 when the last citation is verified, 1 when it is not.
"""
import json
import os
import sys
import urllib.error
import urllib.request
import uuid


def call(base, path, message):
    """Return the reply to a message; an error is printed as RFC 9457 has it."""
    request = urllib.request.Request(base + path, json.dumps(message).encode(), {"Content-Type": "application/json"})
    request.add_header("Idempotency-Key", str(uuid.uuid4()))  # send the same one again when a reply is lost
    if token := os.environ.get("MUNIMENT_TOKEN"):
        request.add_header("Authorization", "Bearer " + token)
    try:
        with urllib.request.urlopen(request, timeout=60) as reply:
            return json.load(reply)
    except urllib.error.HTTPError as error:
        fault = json.load(error)
        sys.exit(f"{fault['error_type']}: {fault['detail']}; {fault['suggestion']}")


def main():
    base, artifact, quote, claim = sys.argv[1:5]
    reply = call(base, "/api/v1/cite", {"artifact": artifact, "quote": quote, "claim": claim})
    print(reply["verification_status"] + ":", reply.get("suggestion") or reply["summary_note"])
    following = reply.get("next_call")
    if following and following["tool"] == "cite":
        reply = call(base, "/api/v1/cite", following["arguments"])
        print(reply["verification_status"] + ":", reply["summary_note"])
    return 0 if reply["verification_status"] == "verified" else 1


if __name__ == "__main__":
    sys.exit(main())
