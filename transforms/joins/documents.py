"""Citations and evidence against the documents themselves: is it there, is it this version, does it say so."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from transforms.citations.offsets import Document, slice_at
from transforms.citations.quotes import QUOTE_MISMATCH, SPAN_OUT_OF_BOUNDS, UNKNOWN_DOCUMENT, judge_quote
from transforms.digests import digest
from transforms.joins.join import Claim, Entry, Join, Judgement, Member, Related, Terms, all_of, finding, policy
from transforms.records import Code, Finding, Place
from transforms.rules.agent_trace_v2 import EVIDENCE_DIGEST_MISMATCH
from transforms.rules.document import DOCUMENT_DIGEST_MISMATCH
from transforms.rules.event_order import events_of
from transforms.rules.grounded_qa import private

CODES = (UNKNOWN_DOCUMENT, DOCUMENT_DIGEST_MISMATCH, SPAN_OUT_OF_BOUNDS, QUOTE_MISMATCH, EVIDENCE_DIGEST_MISMATCH)

_HALF = 8
_DOCUMENT, _CITATION, _EVIDENCE = b"D", b"C", b"E"
_OFFSET_BYTES, _INDEX_BYTES = 8, 4
_PRIVATE = b"\1"


def claim(entry: Entry) -> Iterator[Claim]:
    """Key: the document's id. Each row begins with its role and 8 bytes of the document's SHA-256.

    Document: its text. Citation: index, start, end, 8 bytes of the quote's digest, whether private; the quote as text.
    Evidence: index; its pointer as text.
    """
    value = entry.value
    if entry.kind == "document-v1":
        yield Claim(_key(value["document_id"]), _DOCUMENT + _version(value["sha256"]), value["text"].encode())
    elif entry.kind == "grounded-qa-v1":
        secrecy = _PRIVATE if private(value) else b"\0"
        for index, citation in enumerate(value["citations"]):
            span = (citation["start"], citation["end"])
            quote = citation["quote"].encode()
            payload = b"".join(
                (
                    _CITATION,
                    _version(citation["document_sha256"]),
                    index.to_bytes(_INDEX_BYTES, "little"),
                    *(int(offset).to_bytes(_OFFSET_BYTES, "little") for offset in span),
                    digest(quote)[:_HALF],
                    secrecy,
                )
            )
            yield Claim(_key(citation["document_id"]), payload, quote)
    else:
        for index, result in events_of(value, "result"):
            for place, document in enumerate(result["evidence"]):
                pointer = f"/events/{index}/evidence/{place}"
                payload = _EVIDENCE + _version(document["sha256"])
                yield Claim(_key(document["document_id"]), payload, pointer.encode())


def _key(document_id: str) -> bytes:
    return digest(document_id.encode())


def _version(sha256: str) -> bytes:
    return bytes.fromhex(sha256)[:_HALF]


def judge(members: Sequence[Member], terms: Terms) -> Judgement:
    """Each citation against the version of the document that it names; a document's text is read once."""
    documents = [member for member in members if member.payload[:1] == _DOCUMENT]
    # Of the same version twice the first stays.
    versions = {member.payload[1 : 1 + _HALF]: member for member in reversed(documents)}
    known = all_of(documents)
    by_version: dict[bytes, list[int]] = {}
    for index, member in enumerate(members):
        role, version = member.payload[:1], member.payload[1 : 1 + _HALF]
        if role == _DOCUMENT:
            continue
        if version in versions and role == _CITATION:
            by_version.setdefault(version, []).append(index)
        elif version not in versions:
            found = _absent(member, known, terms)
            if found:
                yield index, found
    for version, indexes in by_version.items():
        text = versions[version].text
        assert text is not None
        document = Document(text.read().decode())
        for index in indexes:
            found = _quoted(members[index], document, versions[version].place, terms)
            if found:
                yield index, found


def _absent(member: Member, known: Related, terms: Terms) -> Finding | None:
    """A document that is not there, or not in the version that is named."""
    assert member.text is not None
    if member.payload[:1] == _EVIDENCE:
        pointer = member.text.read().decode()
        code: Code = EVIDENCE_DIGEST_MISMATCH if known.count else UNKNOWN_DOCUMENT
    else:
        pointer = f"/citations/{_index(member)}"
        code = DOCUMENT_DIGEST_MISMATCH if known.count else UNKNOWN_DOCUMENT
    message = "the document exists in other versions only" if known.count else "no document of the campaign has this id"
    return finding(code, policy(code, terms[member.place.stream]), message, known, pointer=pointer)


def _index(member: Member) -> int:
    return int.from_bytes(member.payload[1 + _HALF : 1 + _HALF + _INDEX_BYTES], "little")


def _quoted(member: Member, document: Document, place: Place, terms: Terms) -> Finding | None:
    at = 1 + _HALF + _INDEX_BYTES
    start, end = (
        int.from_bytes(member.payload[at + i * _OFFSET_BYTES : at + (i + 1) * _OFFSET_BYTES], "little") for i in (0, 1)
    )
    at += 2 * _OFFSET_BYTES
    unit = terms[member.place.stream].offset_unit
    standing = slice_at(document, start, end, unit)
    if standing is not None and digest(standing.encode())[:_HALF] == member.payload[at : at + _HALF]:
        return None
    assert member.text is not None
    quote = member.text.read().decode()
    secret = member.payload[at + _HALF : at + _HALF + 1] == _PRIVATE
    wrong = judge_quote(document, start, end, quote, unit, private=secret)
    if wrong is None:
        return None
    code = SPAN_OUT_OF_BOUNDS if wrong.code == SPAN_OUT_OF_BOUNDS.code else QUOTE_MISMATCH
    pointer, action = f"/citations/{_index(member)}", policy(code, terms[member.place.stream])
    return finding(code, action, wrong.message, Related((place,), 1), pointer=pointer)


JOIN = Join(
    name="documents",
    codes=CODES,
    payload_bytes=1 + _HALF + _INDEX_BYTES + 2 * _OFFSET_BYTES + _HALF + 1,
    claim=claim,
    judge=judge,
    kinds=frozenset(("document-v1", "grounded-qa-v1", "agent-trace-v2")),
    fact="documents",
    texts=True,
)
