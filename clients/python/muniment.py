"""A client of a Muniment server, in one file, with Python's standard library alone (3.11 or later).

    from muniment import Archive

    archive = Archive("http://127.0.0.1:8437", token=None)
    hit = archive.search("mill wheel")["hits"][0]
    cited = archive.cite("The mill wheel has stopped.", quote=hit["text"], artifact=hit["artifact"])
    report = archive.seal_report("The mill wheel has stopped.")
    open("report.zip", "wb").write(archive.bundle(report["id"]))

Replies are the dictionaries that the server sent; the types below name their members, and a
later server may send more. A verdict of no is a reply. A call that could not be done is a
MunimentError. Offsets count code points, as Python's own strings do.

Each POST carries an Idempotency-Key of its own, so that the same call may be sent again: on
429 and 503, after the time that Retry-After names, and when the reply was lost. An Archive
waits for at most `patience` seconds in each call. Any number of threads may use one.
"""

from __future__ import annotations

import base64
import email.utils
import http.client
import json
import time
import urllib.error
import urllib.parse
import urllib.request
import uuid
from typing import Any, Iterable, Literal, NotRequired, TypedDict

Status = Literal["verified", "failed", "pending", "unverified"]
ClaimVerdict = Literal["", "follows", "contradicted", "not_shown", "judged"]
Outcome = Literal["supported", "narrowed", "labeled", "refused"]


class NextCall(TypedDict):
    """A call that runs as it is sent back: Archive.follow makes it."""

    tool: str
    method: str
    path: str
    arguments: dict[str, Any]


class Hit(TypedDict):
    """A passage that a search found: text is what span of artifact says."""

    artifact: str
    name: str
    span: str
    text: str
    score: float
    similarity: float
    date: NotRequired[str]
    locator: NotRequired[dict[str, str]]


class Found(TypedDict):
    """The reply to a search, best hit first."""

    query: str
    snapshot: str
    hits: list[Hit]
    searched: dict[str, Any]
    index_notice: NotRequired[str]


class Passage(TypedDict):
    """A paragraph, or the part of one, with its address."""

    span: str
    text: str


class Text(TypedDict):
    """The reply to a read. Where next_paragraph is there, the paper goes on at it."""

    artifact: str
    name: str
    passages: list[Passage]
    clipped: bool
    next_paragraph: NotRequired[int]


class Cited(TypedDict):
    """The verdict on a citation: of a failed one, nearest and next_call say how to mend it."""

    citation_id: int
    citation: str
    verification_status: Status
    match: Literal["", "exact", "normalized", "fuzzy", "ambiguous", "absent", "none"]
    artifact: str
    name: str
    summary_note: str
    claim_verdict: NotRequired[ClaimVerdict]
    span: NotRequired[str]
    quote: NotRequired[str]
    reason: NotRequired[str]
    suggestion: NotRequired[str]
    nearest: NotRequired[Passage]
    next_call: NotRequired[NextCall]
    repeated: NotRequired[bool]


class Line(TypedDict):
    """One line of a batch: its citation, or the error that it gave."""

    line: int
    citation: NotRequired[Cited]
    error: NotRequired[dict[str, Any]]


class AnswerCitation(TypedDict):
    """The evidence of a claim of an answer."""

    handle: str
    label: str
    quote: str
    relation: str
    artifact: NotRequired[str]
    name: NotRequired[str]
    source: NotRequired[str]
    span: NotRequired[str]


class AnswerClaim(TypedDict):
    """A claim of an answer or a report, with its evidence."""

    text: str
    role: Literal["answer", "nearest"]
    rung: Literal["", "supported", "narrowed", "labeled", "refused"]
    citations: list[AnswerCitation]


class Removed(TypedDict):
    """What an answer or a report does not say, and why."""

    topic: str
    reason: str


class Answer(TypedDict):
    """A sealed answer or report: Archive.bundle(answer["id"]) is its evidence."""

    id: str
    outcome: Outcome
    claims: list[AnswerClaim]
    removed: list[Removed]
    refusal: dict[str, Any] | None
    snapshot: str
    unanswered: bool
    question: NotRequired[str]


class Checked(TypedDict):
    """A draft, held against the citations on file: text is what stays of it."""

    text: str
    decision: str
    profile: str
    findings: list[dict[str, Any]]
    claims: dict[str, int]
    report: dict[str, Any]


class Quotation(TypedDict):
    """A quotation of an examined document, and what the archive says of it."""

    item: int
    kind: str
    text: str
    sentence: str
    verdict: Literal["nowhere", "altered", "cut", "stitched", "elsewhere", "uncheckable", "scholarly", "exact"]
    reason: str
    suggestion: NotRequired[str]


class Examined(TypedDict):
    """The examination of a document, quotation by quotation."""

    items: list[Quotation]
    counts: dict[str, int]
    document: dict[str, Any]
    id: NotRequired[str]


class Verified(TypedDict):
    """The verdict on a bundle, under the trust that the server goes by."""

    verdict: str
    question: str
    axes: list[dict[str, Any]]


class MunimentError(Exception):
    """A call that was not done.

    error_type is a kind of the library such as "SourceNotFound"; "Unreachable" where no reply
    came, with status 0; "NotMuniment" where what came is no reply of a server of ours.
    suggestion says what to do, and request_id names the call in the server's log.
    """

    def __init__(self, status: int, fault: dict[str, Any]):
        self.status = status
        self.error_type: str = fault["error_type"]
        self.detail: str = fault["detail"]
        self.suggestion: str = fault.get("suggestion", "")
        self.request_id: str = fault.get("request_id", "")
        self.next_call: NextCall | None = fault.get("next_call")
        self.partial_result: Any = fault.get("partial_result")
        self.errors: list[dict[str, str]] = fault.get("errors") or []
        super().__init__(": ".join(filter(None, (self.error_type, self.detail, self.suggestion))))


class _NoRedirect(urllib.request.HTTPRedirectHandler):
    """A redirect would carry the token to another address."""

    def redirect_request(self, *_: Any) -> None:
        return None


class Archive:
    """The archive that a server serves at url, for the holder of token.

    patience is the longest time, in seconds, that one call waits before it is sent again;
    timeout, in seconds, is that of one connection.
    """

    def __init__(self, url: str, token: str | None = None, *, patience: float = 60, timeout: float = 120):
        self._base = url.rstrip("/") + "/api/v1"
        self._token, self._patience, self._timeout = token, patience, timeout
        self._open = urllib.request.build_opener(_NoRedirect).open

    def status(self) -> dict[str, Any]:
        """Return what is served, and who the caller is."""
        return self._call("GET", "/status")

    def search(self, query: str, limit: int = 10) -> Found:
        """Return passages that match the words of query, best first."""
        return self._call("GET", "/search", {"query": query, "limit": limit})

    def read(self, artifact: str, span: str | None = None, from_paragraph: int | None = None) -> Text:
        """Return paragraphs of an artifact, given by id or name, or what a span such as p4:0-41 says."""
        path = f"/artifacts/{urllib.parse.quote(artifact, safe='')}/text"
        return self._call("GET", path, {"span": span, "from_paragraph": from_paragraph})

    def cite(
        self,
        claim: str,
        *,
        quote: str | None = None,
        artifact: str | None = None,
        span: str | None = None,
        follow: bool = False,
        **others: Any,
    ) -> Cited:
        """Register a claim with its quote and return the verdict.

        With follow, a citation that failed is made again as the reply's next call has it; the
        verdict of that one is returned. others are further members of /cite, such as session.
        """
        cited = self._call("POST", "/cite", {"claim": claim, "quote": quote, "artifact": artifact, "span": span, **others})
        following = cited.get("next_call")
        if follow and following and following["tool"] == "cite":
            return self.follow(following)
        return cited

    def cite_batch(self, citations: Iterable[dict[str, Any]]) -> list[Line]:
        """Register up to 1,000 citations and return a line for each, in order."""
        return self._call("POST", "/cite/batch", {"citations": list(citations)})["results"]

    def check(self, draft: str, **others: Any) -> Checked:
        """Hold a draft in markdown against the citations on file."""
        return self._call("POST", "/check", {"draft": draft, **others})

    def ask(self, question: str, **others: Any) -> Answer:
        """Answer a question from the archive and seal the answer."""
        return self._call("POST", "/answers", {"question": question, **others})

    def seal_report(self, draft: str, **others: Any) -> Answer:
        """Find the evidence of each sentence of a draft, remove the others, and seal what stays."""
        return self._call("POST", "/reports", {"draft": draft, **others})

    def examine(self, document: str | bytes, name: str | None = None, **others: Any) -> Examined:
        """Compare each quotation of a document, text or the bytes of a file called name, with the archive."""
        if isinstance(document, bytes):
            others["data"] = base64.b64encode(document).decode()
        else:
            others["text"] = document
        return self._call("POST", "/examinations", {"name": name, **others})

    def bundle(self, id: str) -> bytes:
        """Return the signed bundle, a zip, of the answer, the report or the examination with an id."""
        try:
            return self._send("GET", f"/answers/{urllib.parse.quote(id, safe='')}.zip")
        except MunimentError as error:
            if error.status != 404:
                raise
        return self._send("GET", f"/examinations/{urllib.parse.quote(id, safe='')}.zip")

    def verify(self, bundle: bytes) -> Verified:
        """Return the verdict on a bundle, which may be another archive's."""
        return _decode(self._send("POST", "/verify", bundle, "application/zip"))

    def follow(self, call: NextCall) -> Any:
        """Make the next call of a reply or of an error, and return its reply."""
        path = call["path"].removeprefix("/api/v1")
        return self._call(call["method"], path, call["arguments"])

    def _call(self, method: str, path: str, arguments: dict[str, Any] | None = None) -> Any:
        """Return the reply to a call. Arguments that are None are left out."""
        arguments = {name: value for name, value in (arguments or {}).items() if value is not None}
        if method == "GET":
            query = "?" + urllib.parse.urlencode(arguments) if arguments else ""
            return _decode(self._send("GET", path + query))
        return _decode(self._send(method, path, json.dumps(arguments).encode(), "application/json"))

    def _send(self, method: str, path: str, body: bytes | None = None, media_type: str = "") -> bytes:
        """Return the body of the reply, once it came; the call is sent again while that may help."""
        headers = {"Accept": "*/*"}
        if body is not None:
            headers |= {"Content-Type": media_type, "Idempotency-Key": str(uuid.uuid4())}
        if self._token:
            headers["Authorization"] = "Bearer " + self._token
        left, pause = self._patience, 0.25
        while True:
            request = urllib.request.Request(self._base + path, body, headers, method=method)
            try:
                with self._open(request, timeout=self._timeout) as reply:
                    return reply.read()
            except urllib.error.HTTPError as error:
                failure = _failure(error)
                wait = _retry_after(error.headers.get("Retry-After"), pause) if error.code in (429, 502, 503, 504) else None
            except (OSError, http.client.HTTPException) as error:  # no connection, or no whole reply
                failure, wait = _unreachable(request, error), pause
            if wait is None or wait > left:
                raise failure
            time.sleep(wait)
            left, pause = left - wait, min(2 * pause, 8)


def _retry_after(header: str | None, otherwise: float) -> float:
    """Return the seconds that a Retry-After asks for, which may be a date; otherwise without one."""
    if not header:
        return otherwise
    if header.strip().isdigit():
        return float(header)
    try:
        return max(0.0, email.utils.parsedate_to_datetime(header).timestamp() - time.time())
    except ValueError:
        return otherwise


def _decode(body: bytes) -> Any:
    """Return the value of a JSON reply; a page of some other server is none."""
    try:
        return json.loads(body)
    except ValueError:
        what = "a reply came that is no JSON"
        raise MunimentError(200, {"error_type": "NotMuniment", "detail": what, "suggestion": "see that the URL is that of muniment serve"}) from None


def _failure(error: urllib.error.HTTPError) -> MunimentError:
    """Return the error that a reply with another status than 200 describes."""
    try:
        fault = json.loads(error.read())
        return MunimentError(error.code, {"error_type": fault["error_type"], "detail": fault["detail"], **fault})
    except (ValueError, TypeError, KeyError, OSError, http.client.HTTPException):
        what = f"{error.url} replied {error.code} without a problem document"
        return MunimentError(error.code, {"error_type": "NotMuniment", "detail": what, "suggestion": "see that the URL is that of muniment serve"})


def _unreachable(request: urllib.request.Request, error: Exception) -> MunimentError:
    """Return the error of a call to which no whole reply came."""
    what = f"no reply came from {request.full_url.split('?')[0]}: {getattr(error, 'reason', None) or error or type(error).__name__}"
    return MunimentError(0, {"error_type": "Unreachable", "detail": what, "suggestion": "see that muniment serve runs there"})
