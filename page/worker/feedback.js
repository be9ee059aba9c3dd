// SPDX-License-Identifier: BSD-2-Clause
// What each acknowledgement says of one TSN: left out, or received more than once. As story/acknowledgements.py.
"use strict";

// The acknowledgements that leave the TSN out or report it as duplicate, in their order.
function feedbackOn(shelf, way, tsn) {
  const { size, fields } = LAYOUT.tables.sacks, found = [];
  const [frame, cum, assoc, lists, news] = ["frame", "cum_tsn", "assoc", "lists", "newly_acked"].map((name) => fields[name][1] / 4);
  const [gaps, nrGaps, dups] = ["gaps", "nr_gaps", "dups"].map((name) => fields[name][1] / 2);
  const [from, kind, time] = [fields.from[1], fields.kind[1], fields.time_ns[1] / 8];
  for (const { bytes, shorts, words, longs, numbers } of shelf.parts.sacks) {
    for (let at = 0; at < bytes.length; at += size) {
      const word = at / 4, short = at / 2;
      if (2 * words[word + assoc] + 1 - bytes[at + from] !== way) continue; // it acknowledges what the other side sent
      const blocks = shorts[short + gaps] + shorts[short + nrGaps], told = shorts[short + dups];
      if (!blocks && !told) continue;
      let above = false, covered = ((tsn - words[word + cum]) | 0) <= 0, duplicates = 0; // serial: RFC 9260 section 1.6
      let item = words[word + lists] + words[word + lists + 1] * 2 ** 32;
      for (const end = item + 2 * blocks; item < end; item += 2) {
        if (((tsn - numbers[item + 1]) | 0) < 0) above = true;
        if (((tsn - numbers[item]) | 0) >= 0 && ((tsn - numbers[item + 1]) | 0) <= 0) covered = true;
      }
      for (const end = item + told; item < end; item++) if (numbers[item] === tsn) duplicates++;
      const leavesOut = above && !covered;
      if ((!leavesOut && !duplicates) || longs[at / 8 + time] === NOTHING.time) continue;
      found.push({
        frame: words[word + frame], time_ns: longs[at / 8 + time], kind: LAYOUT.enums.sack_kind[bytes[at + kind]],
        leavesOut, news: words[word + news] > 0, duplicates,
      });
    }
  }
  return found;
}

// How many numbers of an ascending list are below one.
function below(list, one) {
  let low = 0, high = list.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (list[middle] < one) low = middle + 1;
    else high = middle;
  }
  return low;
}

const inOrder = (one, other) => one < other ? -1 : one > other ? 1 : 0;

// All that says anything of a TSN, so kept that each of its copies asks without a search.
class Feedback {
  constructor(every) {
    this.leftOut = every.filter((one) => one.leavesOut);
    this.duplicates = every.filter((one) => one.duplicates);
    this.reports = this.duplicates.reduce((sum, one) => sum + one.duplicates, 0);
    this.byTime = [...this.leftOut].sort((one, other) => inOrder(one.time_ns, other.time_ns));
    this.times = this.byTime.map((one) => one.time_ns);
    this.news = [0];
    for (const one of this.byTime) this.news.push(this.news.at(-1) + one.news);
  }

  // How many leave the TSN out from one time to before another, the last of them, and how many acknowledge something new.
  between(begin, end) {
    const first = below(this.times, begin), behind = Math.max(first, end === null ? this.times.length : below(this.times, end));
    return { count: behind - first, last: behind > first ? this.byTime[behind - 1] : null, news: this.news[behind] - this.news[first] };
  }
}
