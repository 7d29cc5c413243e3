#!/usr/bin/env python3
"""Cites over HTTP, and mends the quote where the archive knows the right words.

    muniment -C letters serve
    python3 cite.py http://127.0.0.1:8437 letter-07.txt "the mill wheel has stoped" "The mill wheel has stopped."

A token is read from MUNIMENT_TOKEN. Exit 0 when the last citation is verified, 1 when it is not.
"""

import os
import sys

from muniment import Archive, MunimentError


def main():
    base, artifact, quote, claim = sys.argv[1:5]
    archive = Archive(base, os.environ.get("MUNIMENT_TOKEN"))
    try:
        cited = archive.cite(claim, quote=quote, artifact=artifact)
        print(cited["verification_status"] + ":", cited.get("suggestion") or cited["summary_note"])
        if following := cited.get("next_call"):
            again = archive.follow(following)
            if following["tool"] == "cite":
                cited = again
                print(cited["verification_status"] + ":", cited["summary_note"])
    except MunimentError as error:
        sys.exit(str(error))
    return 0 if cited["verification_status"] == "verified" else 1


if __name__ == "__main__":
    sys.exit(main())
