// SPDX-License-Identifier: BSD-2-Clause
// What is said of each direction: how much was sent, lost and sent again, for which causes and with which verdicts.
"use strict";

const MOST_PATHS = 4; // of a direction, that are described
const MOST_SHOWN = 50; // directions; those with most retransmissions
const VERDICTS = ["spurious", "needed", "undetermined"];
const SUMS = [
  ["sent", (direction) => direction.sent],
  ["lost", (direction) => direction.lost],
  ["sent again", (direction) => direction.again],
  ...VERDICTS.map((verdict) => [verdict, (direction) => total(direction.verdicts[verdict])]),
];

// Directions with data, those with most retransmissions first.
function directionsOf(told) {
  const associations = new Map(told.associations.map((one) => [one.assoc, one]));
  return told.ways
    .map((way) => {
      const association = associations.get(numberOfWay(way.way)), dir = dirOfWay(way.way);
      return association && { ...way, dir, association, sent: association[`chunks_${dir}`], bytes: association[`bytes_${dir}`] };
    })
    .filter((way) => way?.sent)
    .sort((one, other) => other.again - one.again || one.way - other.way);
}

const endsOf = ({ association, dir }) => dir === "a2b" ? [association.a, association.b] : [association.b, association.a];
const nameOf = (direction) => `Association ${direction.association.assoc}, ${direction.dir === "a2b" ? "a to b" : "b to a"}`;

// All of them, to choose one.
function directionsTable(directions, choose) {
  const rows = directions.slice(0, MOST_SHOWN).map((direction) => element("tr", { "data-way": direction.way },
    element("th", { scope: "row" },
      element("button", { type: "button", class: "choose", onclick: () => choose(direction.way) }, nameOf(direction)),
      element("small", null, endsOf(direction).join(" → "))),
    ...SUMS.map(([name, sum]) => element("td", { class: "n", "data-name": name }, thousands(sum(direction)))),
  ));
  const heads = SUMS.map(([name]) => element("th", { scope: "col", class: "n" }, name));
  const more = directions.length - rows.length;
  return element("div", null,
    element("p", { class: "note" }, "Transmissions of DATA and I-DATA chunks in each direction, every copy counted."),
    element("div", { class: "wide", tabindex: 0, role: "region", "aria-label": "Directions" },
      element("table", { class: "directions" },
        element("thead", null, element("tr", null, element("th", { scope: "col" }, "direction"), ...heads)),
        element("tbody", null, ...rows))),
    more > 0
      ? element("p", { class: "note" }, `${many(more, "direction")} more, with fewer retransmissions: the table "associations" below has all.`)
      : null);
}

// One of them, in the words of names.toml.
function directionFacts(told, direction) {
  const { meanings } = LAYOUT;
  const paths = told.paths.filter((path) => 2 * path.assoc + LAYOUT.enums.dir.indexOf(path.dir) === direction.way);
  const facts = [
    ["sent", `${many(direction.sent, "DATA chunk")}, ${many(direction.bytes, "byte")}`],
    ["lost", direction.lost
      ? `${thousands(direction.lost)} of ${many(direction.sent, "transmission")} (${share(direction.lost, direction.sent)})`
      : "nothing, as far as can be seen"],
    ...paths.slice(0, MOST_PATHS).map((path) => ["tap", tapOf(path) + (paths.length > 1 ? `, on ${path.path}` : "")]),
  ];
  return element("div", null,
    element("dl", { class: "facts" }, ...facts.flatMap(([name, text]) => [element("dt", null, name), element("dd", null, text)])),
    direction.again ? splitOf(direction) : element("p", null, "No retransmission in this direction."),
    direction.again ? causesOf(direction, meanings) : null);
}

// As summary/direction_lines.py.
function tapOf(path) {
  const vantage = LAYOUT.vantages[path.vantage];
  return `${vantage ? `${vantage} (class ${path.vantage_class})` : "where it is cannot be told"}; ${whose(path)}`;
}

function whose({ profile, profile_score: explained, sender_has_rack: has }) {
  if (profile === null || explained === null) return "nothing was sent again that would tell whose sender it is";
  if (explained === 0) return "the sender fits no known profile";
  const looks = explained >= 0.5 ? "looks like" : "is hardly like any, most like";
  const rack = { yes: ", marks by time (RACK)", no: ", no RACK" }[has] ?? "";
  return `the sender ${looks} ${LAYOUT.profiles[profile]} (explains ${(100 * explained).toFixed(0)} %)${rack}`;
}

function splitOf(direction) {
  const shares = VERDICTS.map((verdict) => [verdict, total(direction.verdicts[verdict])]).filter(([, number]) => number);
  const bar = element("div", { class: "split", "aria-hidden": "true" }, ...shares.map(([verdict, number]) => {
    const part = element("span", { class: verdict });
    part.style.flexGrow = number;
    return part;
  }));
  const keys = shares.map(([verdict, number]) => element("li", null, element("i", { class: verdict }),
    `${thousands(number)} ${verdict}: ${LAYOUT.meanings.verdict[verdict]} `, element("span", null, `(${classesOf(direction.verdicts[verdict])})`)));
  return element("div", null, bar, element("ul", { class: "keys" }, ...keys));
}

function classesOf(classes) {
  const found = Object.keys(classes).map(Number).sort();
  if (found.length === 1) return `class ${found[0]}`;
  return found.reverse().map((one) => `${thousands(classes[one])} of class ${one}`).join(", ");
}

function causesOf(direction, meanings) {
  const causes = Object.entries(direction.causes).map(([cause, classes]) => [cause, total(classes), classes])
    .sort((one, other) => other[1] - one[1]);
  return element("div", { class: "wide", tabindex: 0, role: "region", "aria-label": "Causes" }, element("table", { class: "causes" },
    element("thead", null, element("tr", null, ...["cause", "sent again", "class"].map((name, at) =>
      element("th", { scope: "col", class: at === 1 ? "n" : null }, name)))),
    element("tbody", null, ...causes.map(([cause, number, classes]) => element("tr", null,
      element("th", { scope: "row" }, element("code", null, cause), element("small", null, meanings.cause[cause])),
      element("td", { class: "n", "data-name": "sent again" }, thousands(number)),
      element("td", { "data-name": "class" }, classesOf(classes).replace(/^class /, "")))))));
}
