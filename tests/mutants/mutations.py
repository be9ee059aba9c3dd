# SPDX-License-Identifier: BSD-2-Clause
"""Which one-line changes of a C file would be wrong changes of a rule, found by its tokens."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from hashlib import sha256
from itertools import pairwise

TOKEN = re.compile(
    r"""(?P<comment>/\*.*?\*/|//[^\n]*)
      | (?P<text>"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*')
      | (?P<preprocessor>^[ \t]*\#(?:\\\n|[^\n])*)
      | (?P<number>\b(?:0[xX][0-9a-fA-F]+|\d+)[uUlL]*\b)
      | (?P<name>[A-Za-z_]\w*)
      | (?P<sign><<=|>>=|->|\+\+|--|<<|>>|<=|>=|==|!=|&&|\|\||[-+*/%&|^]=|[^\s\w])
      """,
    re.DOTALL | re.MULTILINE | re.VERBOSE,
)

COMPARED = {
    "<": ("<=", ">="),
    "<=": ("<", ">"),
    ">": (">=", "<="),
    ">=": (">", "<"),
    "==": ("!=",),
    "!=": ("==",),
}
JOINED = {"&&": "||", "||": "&&"}
ANSWERS = {"true": "false", "false": "true"}

#: From here on a number is a time in ns or a bound on memory; its last digits mean nothing.
LARGE = 1000
SHARE = 8

#: What follows a comparison that chooses the larger of two, or the smaller: which of them it takes
#: where they are equal says nothing.
CHOICE = re.compile(
    r"""\s*(?P<right>[^?;{}]+?)\s*\?\s*(?P<one>[^?:;{}]+?)\s*:\s*(?P<other>[^?:;{}]+?)\s*[;,)}]
      | \s*(?P<limit>[^?;{}]+?)\)\s*(?P<kept>[^?;{}=]+?)\s=\s(?P<new>[^?;{}]+?);
      """,
    re.VERBOSE,
)

#: Words before a name that make what follows it no declaration.
NO_TYPES = {"return", "case", "else", "goto", "sizeof"}
#: What a line may begin with and be no statement of its own.
NO_STATEMENTS = {
    *("if", "else", "for", "while", "do", "switch", "case", "default", "return", "goto"),
    *("struct", "static", "const", "enum", "typedef", "break", "bool", "int64_t", "uint64_t"),
    *("uint32_t", "int32_t", "uint16_t", "uint8_t", "int", "unsigned", "size_t", "double", "float"),
}


@dataclass(frozen=True)
class Mutant:
    """A file with one place changed."""

    file: str
    line: int
    kind: str
    start: int
    end: int
    text: str
    was: str
    becomes: str

    def applied(self, source: str) -> str:
        """The whole file."""
        return source[: self.start] + self.text + source[self.end :]

    def told(self) -> str:
        """Without its place, which moves."""
        return f"{self.file} {self.was} {self.becomes}"

    def __str__(self) -> str:
        place = f"{self.file}:{self.line} ({self.kind})"
        return f"{place}\n  - {self.was}\n  + {self.becomes}"


@dataclass(frozen=True)
class Token:
    kind: str
    text: str
    start: int
    end: int


def tokens_of(source: str) -> list[Token]:
    """Without comments and directives."""
    return [
        Token(match.lastgroup or "", match.group(), match.start(), match.end())
        for match in TOKEN.finditer(source)
        if match.lastgroup not in ("comment", "preprocessor")
    ]


def words_of(header: str) -> dict[str, str]:
    """Of each word of an enum in the header the one behind it, behind the last the first."""
    following: dict[str, str] = {}
    for body in re.findall(r"enum \w+ \{(.*?)\}", header, re.DOTALL):
        words = [word for word in re.findall(r"\bSR_\w+", body) if not word.endswith("_COUNT")]
        if len(words) > 1:
            following |= dict(pairwise([*words, words[0]]))
    return following


def mutants_of(file: str, source: str, words: dict[str, str]) -> list[Mutant]:
    """All, in the order of the file."""
    changes = [*_changed_tokens(source, words), *_negated(source), *_dropped(source)]
    found = []
    for kind, start, end, text in sorted(changes):
        first = source.rfind("\n", 0, start) + 1
        last = source.find("\n", end)
        was, becomes = source[first:last], source[first:start] + text + source[end:last]
        line = source.count("\n", 0, start) + 1
        shown = [re.sub(r"\s+", " ", part).strip() for part in (was, becomes)]
        found.append(Mutant(file, line, kind, start, end, text, *shown))
    return sorted(found, key=lambda one: (one.start, one.end, one.text))


def sample(mutants: list[Mutant], count: int, seed: int) -> list[Mutant]:
    """So many of them: a change elsewhere in the code leaves those that are taken."""
    lots = sorted(mutants, key=lambda one: sha256(f"{seed} {one.told()}".encode()).digest())
    return sorted(lots[:count], key=lambda one: (one.file, one.start, one.text))


Change = tuple[str, int, int, str]


def _changed_tokens(source: str, words: dict[str, str]) -> Iterator[Change]:
    tokens = tokens_of(source)
    for place, token in enumerate(tokens):
        before = tokens[place - 1].text if place else ""
        for text in COMPARED.get(token.text, ()):
            if text not in (f"{token.text}=", token.text[0]) or not _is_choice(source, token):
                yield "comparison", token.start, token.end, text
        if token.text in JOINED:
            yield "and, or", token.start, token.end, JOINED[token.text]
        if token.text in ANSWERS and before == "return":
            yield "answer", token.start, token.end, ANSWERS[token.text]
        if token.text in words and before != "case":
            yield "word", token.start, token.end, words[token.text]
        if token.kind == "number" and not _is_size(tokens, place):
            yield "constant", token.start, token.end, _next_number(token.text)


def _is_choice(source: str, compared: Token) -> bool:
    """Whether it takes the larger of two, or the smaller: by `a < b ? a : b`, `a < 0 ? -a : a`,
    `a > b ? a - b : 0`, or `if (a < b)` and `b = a;`."""
    found = CHOICE.match(source, compared.end)
    if not found:
        return False
    left = source[: compared.start].rstrip()
    if found["limit"]:
        return found["kept"] == found["limit"] and _ends_with(left, found["new"])
    pair = {found["one"], found["other"]}
    if found["right"] == "0" and found["one"] == f"-{found['other']}":
        return _ends_with(left, found["other"])
    less = f" - {found['right']}"
    if found["other"] == "0" and found["one"].endswith(less):
        return _ends_with(left, found["one"].removesuffix(less))
    return found["right"] in pair and any(_ends_with(left, one) for one in pair - {found["right"]})


def _ends_with(text: str, operand: str) -> bool:
    return re.search(rf"(?:^|[\s({{]){re.escape(operand)}$", text) is not None


def _is_size(tokens: list[Token], place: int) -> bool:
    """How many a declared array has, and `{0}`."""
    before = [token.text for token in tokens[max(place - 3, 0) : place]]
    if before[-1:] == ["{"] and tokens[place + 1].text == "}":
        return True
    if len(before) < 3 or before[-1] != "[":
        return False
    typed = before[0] == "*" or (re.fullmatch(r"\w+", before[0]) and before[0] not in NO_TYPES)
    return bool(typed and re.fullmatch(r"\w+", before[1]))


def _next_number(text: str) -> str:
    digits = text.rstrip("uUlL")
    number = int(digits, 0)
    return f"{number + (number // SHARE if number >= LARGE else 1)}{text[len(digits) :]}"


def _negated(source: str) -> Iterator[Change]:
    tokens = tokens_of(source)
    for place, token in enumerate(tokens[:-1]):
        if token.text != "if" or tokens[place + 1].text != "(":
            continue
        depth = 0
        for closing in tokens[place + 1 :]:
            depth += {"(": 1, ")": -1}.get(closing.text, 0)
            if depth == 0:
                start, end = tokens[place + 1].start, closing.end
                yield "condition", start, end, f"(!{source[start:end]})"
                break


def _dropped(source: str) -> Iterator[Change]:
    """Assignments, calls and jumps that are a line of their own."""
    depth = 0
    begins = True
    tokens = tokens_of(source)
    for place, token in enumerate(tokens):
        if begins and depth > 0 and _is_statement(tokens, place):
            end = next(one for one in tokens[place:] if one.text == ";").end
            if ";" not in source[token.start : end - 1] and "{" not in source[token.start : end]:
                yield "statement", token.start, end, ";"
        depth += {"{": 1, "}": -1}.get(token.text, 0)
        begins = token.text in ("{", "}", ";", ":", ")", "else")


def _is_statement(tokens: list[Token], place: int) -> bool:
    word, behind = tokens[place], tokens[place + 1].text if place + 1 < len(tokens) else ""
    if word.text in ("continue", "return") and behind == ";":
        return True
    if word.text in ("*", "++", "--"):
        return tokens[place - 1].text in ("{", "}", ";")
    if word.kind != "name" or word.text in NO_STATEMENTS:
        return False
    return behind in ("(", "=", "->", ".", "[", "++", "--", "+=", "-=", "|=", "&=") and (
        tokens[place - 1].text != ":" or behind in ("(", "=")
    )
