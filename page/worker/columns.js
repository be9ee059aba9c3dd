// SPDX-License-Identifier: BSD-2-Clause
// How each column is read from C rows: the readers of columns/fields.py by their names, each given what it was told there.
// A reader is made for a table, a column and a spelling, and gives the text of a row of the batch that was set.
"use strict";

const NOTHING = { ...LAYOUT.nothing, time: BigInt(LAYOUT.nothing.time) };

const GETTERS = {
  uint64_t: (view, at) => view.getBigUint64(at, true),
  int64_t: (view, at) => view.getBigInt64(at, true),
  uint32_t: (view, at) => view.getUint32(at, true),
  uint16_t: (view, at) => view.getUint16(at, true),
  uint8_t: (view, at) => view.getUint8(at),
  double: (view, at) => view.getFloat64(at, true),
  float: (view, at) => view.getFloat32(at, true),
};

// The field of a C row, of the row that begins at `at`.
function field(table, name) {
  const [type, offset] = LAYOUT.tables[table].fields[name];
  const get = GETTERS[type];
  return (rows, at) => get(rows, at + offset);
}

const isFloat = (table, name) => ["double", "float"].includes(LAYOUT.tables[table].fields[name]?.[0]);

// As repr() of Python has it.
function floatText(value) {
  if (Number.isInteger(value) && Math.abs(value) < 1e16) return `${value}.0`;
  const [digits, exponent] = value.toExponential().split("e");
  const power = Number(exponent);
  if (power >= -4 && power < 16) return String(value);
  return `${digits}e${power < 0 ? "-" : "+"}${String(Math.abs(power)).padStart(2, "0")}`;
}

// Conditions: in which rows a column is not null.
const CONDITIONS = {
  followed(table) {
    const assoc = field(table, "assoc");
    return (rows, at) => assoc(rows, at) !== NOTHING.association;
  },
  has(table, { bit }) {
    const present = field(table, "present");
    return (rows, at) => (present(rows, at) >> bit & 1) !== 0;
  },
  has_chunk(table) {
    const has = field(table, "has_chunk");
    return (rows, at) => has(rows, at) !== 0;
  },
  has_window(table) {
    const kind = field(table, "kind");
    return (rows, at) => kind(rows, at) !== LAYOUT.shutdown;
  },
  counts(table) {
    const followed = CONDITIONS.followed(table), repeats = field(table, "repeats");
    return (rows, at) => followed(rows, at) && repeats(rows, at) === 0;
  },
  has_profile(table) {
    const profile = field(table, "profile");
    return (rows, at) => profile(rows, at) !== NOTHING.word;
  },
  has_delivered(table) {
    const sent = field(table, "rack_xmit_ns");
    return (rows, at) => sent(rows, at) !== NOTHING.time;
  },
  has_tag(table, { side }) {
    const known = field(table, `vtag_${side}_known`);
    return (rows, at) => known(rows, at) !== 0;
  },
};

const SIDES = {
  sender: (table) => field(table, "from"),
  receiver(table) {
    const from = field(table, "from");
    return (rows, at) => 1 - from(rows, at);
  },
};

const enumOf = (column) => LAYOUT.enums[column.type.split(":")[1]];

function wordOf(table, name, column, spelling) {
  const code = field(table, name), words = enumOf(column).map(spelling.word);
  return (batch, rows, at) => {
    const number = code(rows, at);
    return number === NOTHING.word ? spelling.null : words[number];
  };
}

// The text of an IPv6 address by RFC 5952 section 4, which Python writes, too.
function addressText(view, at) {
  const family = view.getUint8(at + 16);
  if (family === 4) return [0, 1, 2, 3].map((byte) => view.getUint8(at + byte)).join(".");
  if (family !== 6) return null;
  const groups = [0, 1, 2, 3, 4, 5, 6, 7].map((group) => view.getUint16(at + 2 * group).toString(16));
  let [start, count] = [0, 1];
  for (let from = 0; from < 8; from++) {
    let run = 0;
    while (from + run < 8 && groups[from + run] === "0") run++;
    if (run > count) [start, count] = [from, run];
  }
  if (count === 1) return `[${groups.join(":")}]`;
  return `[${groups.slice(0, start).join(":")}::${groups.slice(start + count).join(":")}]`;
}

const PATH_BYTES = 34;

const READERS = {
  number(table, column, spelling) {
    const value = field(table, column.name);
    return isFloat(table, column.name)
      ? (batch, rows, at) => floatText(value(rows, at))
      : (batch, rows, at) => String(value(rows, at));
  },
  number_in(table, column, spelling, told) {
    return READERS.number(table, { ...column, name: told.field }, spelling);
  },
  null_at(table, column, spelling, told) {
    const value = field(table, column.name), read = READERS.number(table, column, spelling);
    const wide = /int64/.test(LAYOUT.tables[table].fields[column.name][0]);
    const nothing = wide ? BigInt(told.nothing) : told.nothing;
    return (batch, rows, at) => value(rows, at) === nothing ? spelling.null : read(batch, rows, at);
  },
  when(table, column, spelling, told) {
    const holds = CONDITIONS[told.condition.is](table, told.condition);
    const read = readerOf(table, column, spelling, told.reader);
    return (batch, rows, at) => holds(rows, at) ? read(batch, rows, at) : spelling.null;
  },
  flag(table, column, spelling) {
    const value = field(table, column.name);
    return (batch, rows, at) => {
      const number = value(rows, at);
      return number === NOTHING.word ? spelling.null : number === 1 ? "true" : "false";
    };
  },
  word: (table, column, spelling) => wordOf(table, column.name, column, spelling),
  word_in: (table, column, spelling, told) => wordOf(table, told.field, column, spelling),
  word_list(table, column, spelling) {
    const mask = field(table, column.name), words = enumOf(column).map(JSON.stringify);
    const known = new Map();
    return (batch, rows, at) => {
      const bits = mask(rows, at);
      let text = known.get(bits);
      if (text === undefined) {
        const items = words.filter((_, bit) => BigInt(bits) >> BigInt(bit) & 1n);
        text = items.length ? spelling.nested(`[${items.join(spelling.separator)}]`) : "[]";
        known.set(bits, text);
      }
      return text;
    };
  },
  counted_word(table, column, spelling) {
    const what = field(table, "what"), word = field(table, "word");
    const words = LAYOUT.enums.count_what.map((name) => LAYOUT.enums[name].map(spelling.word));
    return (batch, rows, at) => words[what(rows, at)][word(rows, at)];
  },
  text_of(table, column, spelling, told) {
    const begin = field(table, told.field), length = field(table, `${told.field}_length`);
    const decoder = new TextDecoder();
    return (batch, rows, at) => {
      const { buffer, byteOffset } = batch.texts;
      const bytes = new Uint8Array(buffer, byteOffset + Number(begin(rows, at)), Number(length(rows, at)));
      return spelling.word(decoder.decode(bytes));
    };
  },
  tsn_list(table, column, spelling, told) {
    const pool = field(table, told.pool), count = field(table, told.count);
    const before = told.before.map((name) => field(table, name));
    return (batch, rows, at) => {
      const items = [];
      const length = count(rows, at);
      if (!length) return "[]";
      let from = Number(pool(rows, at));
      for (const pairs of before) from += 2 * pairs(rows, at);
      const number = (index) => batch.numbers.getUint32(4 * (from + index), true);
      for (let item = 0; item < length; item++) {
        items.push(told.pairs
          ? `[${number(2 * item)}${spelling.separator}${number(2 * item + 1)}]`
          : String(number(item)));
      }
      return spelling.nested(`[${items.join(spelling.separator)}]`);
    };
  },
  json_text(table, column, spelling) {
    const begin = field(table, "text"), length = field(table, "text_length"), decoder = new TextDecoder();
    return (batch, rows, at) => {
      const bytes = length(rows, at);
      if (!bytes) return spelling.null;
      const { buffer, byteOffset } = batch.texts;
      return spelling.jsonText(decoder.decode(new Uint8Array(buffer, byteOffset + Number(begin(rows, at)), bytes)));
    };
  },
  path(table, column, spelling) {
    const number = field(table, "path"), from = field(table, "from"), followed = CONDITIONS.followed(table);
    const sides = ["a>b", "b>a"].map(spelling.word);
    let known = []; // paths are only ever added
    return (batch, rows, at) => {
      const path = number(rows, at);
      if (path !== NOTHING.path && (path + 1) * PATH_BYTES <= batch.paths.byteLength) {
        if (known[path] === undefined) {
          const ends = [0, 17].map((end) => addressText(batch.paths, path * PATH_BYTES + end));
          known[path] = ends.includes(null) ? null : spelling.word(ends.join(">"));
        }
        if (known[path] !== null) return known[path];
      }
      return followed(rows, at) ? sides[from(rows, at)] : spelling.null;
    };
  },
  direction(table, column, spelling, told) {
    const side = SIDES[told.data_from.is](table), words = enumOf(column).map(spelling.word);
    const followed = CONDITIONS.followed(table);
    return (batch, rows, at) => followed(rows, at) ? words[side(rows, at)] : spelling.null;
  },
  type_name(table, column, spelling) {
    const type = field(table, "type");
    const names = LAYOUT.chunks.map((name) => name === null ? spelling.null : spelling.word(name));
    return (batch, rows, at) => names[type(rows, at)];
  },
  share(table, column, spelling) {
    const value = field(table, column.name);
    return (batch, rows, at) => {
      const part = value(rows, at);
      return part >= 0 ? floatText(part) : spelling.null;
    };
  },
  joined(table, column, spelling) {
    const number = field(table, "joined");
    return (batch, rows, at) => number(rows, at) ? String(number(rows, at) - 1) : spelling.null;
  },
};

const readerOf = (table, column, spelling, told) => READERS[told.is](table, column, spelling, told);
