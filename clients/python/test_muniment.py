"""Tests of muniment.py with a real server, whose address is in MUNIMENT_URL.

The server has the papers of archivetest. MUNIMENT_BAD_URL is the same server at the end of a
wire that loses the first reply to each POST, and answers 503 with Retry-After to the second
attempt: see clients_test.go.
"""

import json
import os
import time
import typing
import unittest
import urllib.request

import muniment
from muniment import Archive, MunimentError

URL, BAD_URL = os.environ["MUNIMENT_URL"], os.environ["MUNIMENT_BAD_URL"]
STOPPED, MARCH = "The mill wheel has stopped.", "1931-03-14.txt"


class Calls(unittest.TestCase):
    def setUp(self):
        self.archive = Archive(URL + "/")

    def test_search_read_cite(self):
        hit = self.archive.search("mill wheel stopped", limit=3)["hits"][0]
        self.assertEqual(hit["name"], "in/" + MARCH)
        whole = self.archive.read(hit["name"])
        self.assertIn(hit["text"], "\n\n".join(p["text"] for p in whole["passages"]))
        self.assertEqual(self.archive.read(hit["artifact"], span="p3:0-27")["passages"][0]["text"], STOPPED)
        cited = self.archive.cite(STOPPED, quote=STOPPED, artifact=hit["artifact"], session="python")
        self.assertEqual((cited["verification_status"], cited["span"]), ("verified", "p3:0-27"))

    def test_a_verdict_of_no_and_its_next_call(self):
        with self.assertRaises(MunimentError) as raised:
            muniment._decode(b"<html>a page of another server</html>")
        self.assertEqual(raised.exception.error_type, "NotMuniment")
        wrong = {"quote": "The mill wheel has stoped.", "artifact": MARCH}
        self.assertEqual(self.archive.cite(STOPPED, **wrong)["verification_status"], "failed")
        self.assertEqual(self.archive.cite(STOPPED, **wrong, follow=True)["verification_status"], "verified")
        # Nothing is near these words: the next call searches, and follow leaves it to the caller.
        lost = self.archive.cite("Bees swarm.", quote="Bees swarm over the orchard at dusk.", artifact=MARCH, follow=True)
        self.assertEqual(lost["verification_status"], "failed")
        self.archive.follow(lost["next_call"])

    def test_batch(self):
        good, bad = self.archive.cite_batch([{"claim": STOPPED, "quote": STOPPED}, {"claim": "x", "quote": "x", "artifact": "nothing.txt"}])
        self.assertEqual(good["citation"]["verification_status"], "verified")
        self.assertEqual(bad["error"]["error_type"], "SourceNotFound")

    def test_ask_seal_and_bundle(self):
        answer = self.archive.ask("Who repaired the mill wheel?")
        self.assertEqual(answer["outcome"], "supported")
        report = self.archive.seal_report("Tobias Lunt repaired the mill wheel.\n\nThe mill was sold to a brewery.\n")
        self.assertEqual((report["outcome"], len(report["claims"]), len(report["removed"])), ("narrowed", 1, 1))
        for id in answer["id"], report["id"]:
            verdict = self.archive.verify(self.archive.bundle(id))
            self.assertIn(verdict["verdict"], ("VALID", "INCOMPLETE"))
        checked = self.archive.check("The mill was sold to a brewery.")
        self.assertEqual((checked["decision"], checked["findings"][0]["fault"]), ("flagged", "uncited"))

    def test_examine(self):
        text = "The letter says “Tobias Lunt repaired the mill weel.”"
        examined = self.archive.examine(text)
        self.assertEqual(examined["items"][0]["verdict"], "altered")
        self.assertEqual(self.archive.examine(text.encode(), name="draft.txt")["items"][0]["verdict"], "altered")
        self.assertIn("1 quotations", self.archive.verify(self.archive.bundle(examined["id"]))["question"])

    def test_errors(self):
        with self.assertRaises(MunimentError) as caught:
            self.archive.read("nothing.txt")
        error = caught.exception
        self.assertEqual((error.status, error.error_type), (404, "SourceNotFound"))
        self.assertTrue(error.detail and error.suggestion and error.request_id, error)
        with self.assertRaises(MunimentError) as caught:
            self.archive.cite(STOPPED, quote=STOPPED, qoute=STOPPED)
        self.assertEqual(caught.exception.error_type, "Usage")
        self.assertIn("qoute", str(caught.exception.errors))
        with self.assertRaises(MunimentError) as caught:
            self.archive.bundle("0" * 32)
        self.assertEqual(caught.exception.status, 404)
        with self.assertRaises(MunimentError) as caught:
            Archive(URL + "/nowhere").status()
        self.assertEqual(caught.exception.status, 404)
        with self.assertRaises(MunimentError) as caught:
            Archive(URL, token="wrong").status()
        self.assertEqual(caught.exception.status, 401)


class Wire(unittest.TestCase):
    def test_lost_replies_and_503(self):
        archive = Archive(BAD_URL, patience=10)
        cited = archive.cite("There is flour for nine days.", quote="There is flour for nine days.", session="wire")
        self.assertEqual(cited["verification_status"], "verified")
        # The first attempt was registered, and its reply lost: the third is the same citation.
        with urllib.request.urlopen(URL + "/api/v1/citations?session=wire") as listed:
            self.assertEqual([c["citation_id"] for c in json.load(listed)["citations"]], [cited["citation_id"]])

    def test_patience_ends(self):
        begun = time.monotonic()
        with self.assertRaises(MunimentError) as caught:
            Archive(BAD_URL, patience=0.5).cite(STOPPED, quote=STOPPED)
        self.assertEqual((caught.exception.status, caught.exception.error_type), (503, "Busy"))
        self.assertLess(time.monotonic() - begun, 5)
        with self.assertRaises(MunimentError) as caught:
            Archive("http://127.0.0.1:1", patience=0).status()
        self.assertEqual(caught.exception.error_type, "Unreachable")
        self.assertEqual(muniment._retry_after("Thu, 01 Jan 1970 00:00:00 GMT", 9), 0)
        self.assertEqual([muniment._retry_after(h, 9) for h in ("3", None, "soon")], [3, 9, 9])


class Contract(unittest.TestCase):
    """The types are those of the OpenAPI document: their members, which of them are required, and their values."""

    SCHEMAS = {
        "NextCall": "NextCall", "Hit": "SearchHit", "Found": "SearchResult", "Passage": "Passage", "Text": "ReadReply",
        "Cited": "CiteReply", "Line": "CiteLine", "AnswerCitation": "AnswerResultCitation", "AnswerClaim": "AnswerResultClaim",
        "Removed": "AnswerRemovedTopic", "Answer": "AskReply", "Checked": "DraftCheckResult", "Quotation": "ExaminationItem",
        "Examined": "ExamineReply", "Verified": "AuditBundleVerdict",
    }

    def test_types(self):
        with urllib.request.urlopen(URL + "/openapi.json") as reply:
            schemas = json.load(reply)["components"]["schemas"]
        types = {name: t for name, t in vars(muniment).items() if typing.is_typeddict(t)}
        self.assertEqual(set(types), set(self.SCHEMAS))
        for name, written in types.items():
            schema = schemas[self.SCHEMAS[name]]
            for member, hint in typing.get_type_hints(written, include_extras=True).items():
                with self.subTest(f"{name}.{member}"):
                    self.assertIn(member, schema["properties"])
                    optional = typing.get_origin(hint) is NotRequired
                    self.assertEqual(optional, member not in schema["required"])
                    values = typing.get_args(typing.get_args(hint)[0] if optional else hint)
                    if enum := schema["properties"][member].get("enum"):
                        self.assertEqual(set(values), set(enum))


NotRequired = typing.NotRequired

if __name__ == "__main__":
    unittest.main()
