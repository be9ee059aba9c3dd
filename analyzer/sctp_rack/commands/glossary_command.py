# SPDX-License-Identifier: BSD-2-Clause
"""`sctp-rack glossary`: what words of the output mean."""

import shutil

import click

from sctp_rack.wording.glossary import entries, lines_of, look_up


@click.command("glossary", short_help="Say what a word of the output means.")
@click.argument("words", nargs=-1, metavar="[WORD]...")
def glossary_command(words: tuple[str, ...]) -> None:
    """Say what each WORD of the output means: a, class, needed, t3_gbn, S8, K14…

    A WORD may be an enum, as cause is, and then all its words are told. Without a WORD: all.
    """
    found = [entry for word in words for entry in look_up(word)] if words else entries()
    for line in lines_of(found, shutil.get_terminal_size().columns):
        click.echo(line)
