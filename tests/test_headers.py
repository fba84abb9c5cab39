"""Files with a header: what is written is read back, and anything else is refused with the path."""

import json
import zlib
from hashlib import sha256

import pytest
from hypothesis import given
from hypothesis import strategies as st

from holdmem.core.errors import TableError
from holdmem.core.headers import HeaderedFile, unzip

PLAIN = HeaderedFile("thing", 3, TableError)
SEALED = HeaderedFile("thing", 3, TableError, sealed=True)
WIDE = HeaderedFile("thing", 3, TableError, width=512)
KINDS = [PLAIN, SEALED, WIDE]
HEADERS = st.dictionaries(
    st.text(max_size=5).filter(lambda key: key not in ("digest", "length")),
    st.integers() | st.text(max_size=5),
)


@pytest.fixture(scope="module")
def path(tmp_path_factory):
    return tmp_path_factory.mktemp("headers") / "some.thing"


@given(kind=st.sampled_from(KINDS), header=HEADERS, body=st.binary(max_size=50), mapped=st.booleans())
def test_header_and_body_are_read_back(path, kind, header, body, mapped) -> None:
    kind.write(path, header, body)
    again, content = kind.read(path, mapped)
    assert (again, bytes(content)) == (header, body)


@given(kind=st.sampled_from(KINDS), place=st.integers(0, 2**32), bit=st.integers(0, 7), cut=st.booleans())
def test_no_change_of_a_body_goes_unseen(path, kind, place, bit, cut) -> None:
    body = b"the body, which has some bytes\n"
    kind.write(path, {"rows": 5}, body)
    content = bytearray(path.read_bytes())
    if cut:
        del content[-1 - place % len(body) :]
    else:
        content[-1 - place % len(body)] ^= 1 << bit
    path.write_bytes(content)
    with pytest.raises(TableError, match=r"some\.thing"):
        kind.read(path)


def test_the_bytes_of_a_file(path) -> None:
    """Files of earlier versions must stay readable, so the bytes are stated here."""
    line = json.dumps({"a": 1, "digest": sha256(b"body").hexdigest(), "length": 4}).encode()
    PLAIN.write(path, {"length": 4, "a": 1}, b"body")
    assert path.read_bytes() == b"holdmem thing 3\n" + line + b"\nbody"
    WIDE.write(path, {"length": 4, "a": 1}, b"body")
    assert path.read_bytes() == (b"holdmem thing 3\n" + line).ljust(511) + b"\nbody"
    SEALED.write(path, {"b": [2], "a": 1}, b"body")
    digest = sha256(b'{"a": 1, "b": [2]}body').hexdigest()
    assert path.read_bytes() == b'holdmem thing 3\n{"a": 1, "b": [2], "digest": "%s"}\nbody' % digest.encode()


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"", "not a thing file: expected the line b'holdmem thing 3"),
        (b"holdmem thing 4\n{}\n", "a thing file of another version"),
        (b"holdmem thing 3\n[]\n", "2: expected a header in JSON"),
        (b"holdmem thing 3\n{}\n", "2: expected a header in JSON"),
        (b"holdmem thing 3\n" + b"[" * 10**5, "2: expected a header in JSON"),
        (b'holdmem thing 3\n{"digest": 5}\n', "damaged: expected digest 5, got"),
        (b'holdmem thing 3\n{"digest": "", "length": "x"}\n', "expected 'x' bytes after the header, got 0"),
    ],
)
def test_another_file_is_refused(path, content, said) -> None:
    path.write_bytes(content)
    with pytest.raises(TableError, match=said):
        PLAIN.read(path)


def test_a_missing_or_too_large_file_is_refused(path) -> None:
    with pytest.raises(TableError, match="cannot read the thing file: No such file"):
        PLAIN.read(path.with_name("none"))
    PLAIN.write(path, {}, bytes(100))
    with pytest.raises(TableError, match="expected at most 99 bytes, got"):
        HeaderedFile("thing", 3, TableError, most=99).read(path)


def test_what_cannot_be_built_is_refused(path) -> None:
    PLAIN.write(path, {}, b"body")
    with pytest.raises(TableError, match="invalid thing: 'rows'"):
        PLAIN.load(path, lambda header, body: header["rows"])


def test_a_body_is_unzipped_to_its_length_and_no_further() -> None:
    packed = zlib.compress(bytes(10**6))
    assert unzip(packed, 10**6) == bytes(10**6)
    for length, word in ((10, "more"), (10**6 + 1, "fewer")):
        with pytest.raises(ValueError, match=f"the body has {word} than"):
            unzip(packed, length)
