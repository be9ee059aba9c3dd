# SPDX-License-Identifier: BSD-2-Clause
"""A dataset as DuckDB sees it: a view for each table, and nothing else of this machine."""

import contextlib
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from sctp_rack.errors import InputError, MissingExtraError, UsageError
from sctp_rack.fleet.arrays import nothing
from sctp_rack.fleet.compared_words import check_words
from sctp_rack.fleet.dataset import Dataset
from sctp_rack.fleet.rows import NAMES, schema
from sctp_rack.fleet.scratch import scratch
from sctp_rack.tables import TABLES

try:
    import duckdb
except ModuleNotFoundError as error:
    raise MissingExtraError("to ask a dataset needs `pip install duckdb`") from error

#: Nothing is fetched from the network, and nothing loaded.
_ALONE: dict[str, Any] = {
    "autoinstall_known_extensions": "false",
    "autoload_known_extensions": "false",
}

#: Rows of an answer in memory at once.
_ROWS = 65536


@contextlib.contextmanager
def opened(dataset: Dataset) -> Iterator[Any]:
    """A connection that can read the views and nothing else. Raises `InputError`."""
    dataset.check()
    try:
        segments = dataset.segments()
    except OSError as error:
        raise InputError(f"{dataset.folder}: {error}") from error
    with (
        scratch() as spilled,
        contextlib.closing(duckdb.connect(config=_ALONE)) as connection,
    ):
        files = {
            name: [str(file) for one in segments for file in one.files.get(name, ())]
            for name in NAMES
        }
        connection.execute("SET temp_directory = ?", [spilled])
        every = [file for some in files.values() for file in some]
        connection.execute(f"SET allowed_paths = {_literal(every)}")
        connection.execute("SET TimeZone = 'UTC'")
        connection.execute("SET enable_external_access = false")
        connection.execute("SET lock_configuration = true")
        try:
            _view(connection, "captures", files["captures"])
            for name in _kept(connection, files):
                _view(connection, name, files[name])
        except duckdb.OutOfMemoryException as error:
            raise MemoryError from error
        except duckdb.Error as error:
            raise InputError(f"{dataset.folder}: {_wrong(error)}") from error
        yield connection


def answer(connection: Any, sql: str, values: Sequence[Any] = ()) -> Any:
    """What one question comes to, as a `pyarrow.RecordBatchReader`.

    Raises `UsageError` for what is no question, or is wrong, or asks for a word that is none.
    """
    with told():
        statements = connection.extract_statements(sql)
        if len(statements) != 1 or statements[0].type != duckdb.StatementType.SELECT:
            raise UsageError("a query is one SELECT: nothing is written")
        check_words(connection, sql)
        return connection.sql(statements[0], params=list(values)).to_arrow_reader(_ROWS)


def rows(connection: Any, sql: str, values: Sequence[Any] = ()) -> list[dict[str, Any]]:
    """All of the answer."""
    with told():
        return [row for batch in answer(connection, sql, values) for row in batch.to_pylist()]


@contextlib.contextmanager
def told() -> Iterator[None]:
    """What goes wrong with an answer is a wrong question, but for memory that runs out."""
    try:
        yield
    except duckdb.OutOfMemoryException as error:
        raise MemoryError from error
    except (duckdb.Error, OSError) as error:
        if isinstance(error, OSError) and error.errno is not None:
            raise
        raise _wrong(error) from error


def _wrong(error: Exception) -> UsageError:
    """On one line; behind the first gap it only shows the query again."""
    return UsageError(" ".join(str(error).split("\n\n")[0].split()) or "the query failed")


def _kept(connection: Any, files: Mapping[str, Sequence[str]]) -> list[str]:
    """Tables that have rows, or that some capture was read for; all where none could be read."""
    kept = {name for name in TABLES if files[name]}
    for sql in ("SELECT tables FROM captures LIMIT 1", "SELECT DISTINCT tables FROM captures"):
        if len(kept) < len(TABLES):  # mostly each was read for all, as the first one tells at once
            told = connection.execute(sql).fetchall()
            kept |= {name for (names,) in told for name in names or ()}
    return ["recoveries", "sent", *(name for name in TABLES if name in kept or not kept)]


def _view(connection: Any, name: str, files: Sequence[str]) -> None:
    if not files:
        connection.register("nothing", nothing(schema(name)))
        connection.execute(f"CREATE TEMP TABLE {name} AS SELECT * FROM nothing")
        connection.unregister("nothing")
        return
    # Files of several versions of the program lie beside each other while one replaces the other.
    told = f"read_parquet({_literal(files)}, hive_partitioning = false, union_by_name = true)"
    connection.execute(f"CREATE TEMP VIEW {name} AS SELECT * FROM {told}")


def _literal(texts: Sequence[str]) -> str:
    return "[" + ", ".join("'" + text.replace("'", "''") + "'" for text in texts) + "]"
