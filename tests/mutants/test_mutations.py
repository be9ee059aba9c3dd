# SPDX-License-Identifier: BSD-2-Clause
"""Which wrong changes are made of a line, and that those which nobody has to find have a reason."""

from tests.mutants import build
from tests.mutants.__main__ import all_mutants
from tests.mutants.listed import listed
from tests.mutants.mutations import Mutant, mutants_of, sample, words_of

WORDS = words_of("enum sr_cause { SR_CAUSE_T3, /* a */ SR_CAUSE_FAST, SR_CAUSE_RACK, };")


def _becomes(line: str) -> set[str]:
    source = f"static void one(void)\n{{\n    {line}\n}}\n"
    return {mutant.becomes for mutant in mutants_of("one.c", source, WORDS)}


def test_a_comparison_moves_by_one_and_turns_round() -> None:
    assert _becomes("if (a < b)") == {"if (a <= b)", "if (a >= b)", "if (!(a < b))"}
    assert _becomes("if (a->b == c)") == {"if (a->b != c)", "if (!(a->b == c))"}


def test_conditions_are_joined_otherwise() -> None:
    assert "return a || b;" in _becomes("return a && b;")


def test_of_two_that_are_equal_either_is_the_larger() -> None:
    assert _becomes("most = a > b ? a : b;") == {"most = a <= b ? a : b;", ";"}
    assert _becomes("most(a->of[i] < b ? a->of[i] : b);") == {
        "most(a->of[i] >= b ? a->of[i] : b);",
        ";",
    }
    assert _becomes("return a <= 3 ? 3 : a;") == {
        "return a > 3 ? 3 : a;",
        "return a <= 4 ? 3 : a;",
        "return a <= 3 ? 4 : a;",
    }
    assert "if (a >= b)\n    b = a;" not in _becomes("if (a > b)\n    b = a;")
    assert "if (a <= b) b = a;" in _becomes("if (a > b) b = a;")
    assert "return a <= 0 ? -a : a;" not in _becomes("return a < 0 ? -a : a;")
    assert "return a <= 0 ? -b : a;" in _becomes("return a < 0 ? -b : a;")
    assert "return a >= b ? a - b : 0;" not in _becomes("return a > b ? a - b : 0;")
    assert "return a >= b ? a - c : 0;" in _becomes("return a > b ? a - c : 0;")
    assert "b = (struct one){a <= 0 ? 0 : a};" not in _becomes("b = (struct one){a < 0 ? 0 : a};")
    assert "return a >= b ? c : b;" in _becomes("return a > b ? c : b;")
    assert "return ba >= b ? a : b;" in _becomes("return ba > b ? a : b;")
    assert "if (a >= b) b = c;" in _becomes("if (a > b) b = c;")


def test_a_constant_is_another_one() -> None:
    assert _becomes("a = b + 3;") == {"a = b + 4;", ";"}
    assert "a = INT64_C(11250000);" in _becomes("a = INT64_C(10000000);")
    assert _becomes("int64_t answers[2];") == set()
    assert _becomes("struct one two = {0};") == set()


def test_a_word_is_the_next_of_its_enum_and_an_answer_the_other() -> None:
    assert _becomes("return SR_CAUSE_RACK;") == {"return SR_CAUSE_T3;"}
    assert _becomes("case SR_CAUSE_RACK: break;") == set()
    assert _becomes("return true;") == {"return false;"}


def test_a_statement_is_left_out() -> None:
    assert ";" in _becomes("row->cause = cause;")
    assert ";" in _becomes("note(row);")
    assert "if (a) ;" in _becomes("if (a) continue;")
    assert _becomes("uint32_t row = next;") == set()


def test_comments_and_texts_are_left_alone() -> None:
    assert _becomes("/* a < 3 && b */") == set()
    assert _becomes('print("a < 3");') == {";"}


def test_a_sample_stays_where_other_lines_change() -> None:
    source = "".join(f"    if (a > {number}) b({number});\n" for number in range(50))
    before = mutants_of("one.c", f"void one(void)\n{{\n{source}}}\n", WORDS)
    after = mutants_of("one.c", f"void one(void)\n{{\n    c = 7;\n{source}}}\n", WORDS)

    chosen = {one.told() for one in sample(before, 30, 1)}
    assert len(chosen & {one.told() for one in sample(after, 30, 1)}) >= 28
    assert chosen != {one.told() for one in sample(before, 30, 2)}


def test_no_two_files_of_rules_have_one_name() -> None:
    """A mutant names its file without the room."""
    names = [path.name for path in build.rules("*.c")]
    assert sorted(names) == sorted(set(names))


def test_what_nobody_has_to_find_is_still_there_and_has_a_reason() -> None:
    every = all_mutants([])
    known = listed()
    told = {(one.file, one.was, one.becomes) for one in every}
    for entry in known.mutants:
        assert (entry["file"], entry["was"], entry["becomes"]) in told, entry
        assert entry["reason"]
    for entry in known.lines:
        assert entry["reason"]
        assert any(entry["has"] in one.was for one in every), entry


def test_a_mutant_changes_one_place() -> None:
    source = (build.CORE / "judge" / "fit.c").read_text()
    mutant: Mutant = mutants_of("fit.c", source, {})[0]

    assert mutant.applied(source) != source
    assert mutant.applied(source).count("\n") == source.count("\n")
