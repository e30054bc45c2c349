/** The place of a name in a text, and its subject. */
export interface Mention {
  at: number;
  end: number;
  /** Equal for all names of one subject. */
  key: string;
}

/** The place of a figure. */
export interface Place {
  at: number;
  end: number;
}

/** `2,000 USD of collateral`, `1,240.50 USD debt`. */
const JOINED = /^ ?(?:(?:of|in|for|as) )?(?:(?:the|its|your|their|a) )?$/i;

/**
 * The name for a figure: one that is joined to it, else the one at its index in a row ("debt and collateral
 * are 1 and 2"), else the nearest before it, else the next one behind it that comes before another figure.
 * Null: none.
 * @param mentions of the text, in its order; @param figures of the text, this one among them, in its order
 */
export function governingMention(
  text: string,
  place: Place,
  mentions: readonly Mention[],
  figures: readonly Place[],
): string | null {
  const within = mentions.find(({ at, end }) => at >= place.at && end <= place.end);
  if (within) return within.key;
  const next = mentions.find(({ at }) => at >= place.end);
  if (next && JOINED.test(text.slice(place.end, next.at))) return next.key;
  const inRow = ofRow(place, mentions, figures);
  if (inRow !== null) return inRow;
  const before = mentions.findLast(({ end }) => end <= place.at);
  if (before) return before.key;
  const hasFigureBefore = figures.some(({ at }) => next && at >= place.end && at < next.at);
  return next && !hasFigureBefore ? next.key : null;
}

/** A row of names followed by an equal number of figures pairs them one by one. */
function ofRow(place: Place, mentions: readonly Mention[], figures: readonly Place[]): string | null {
  const begin = mentions.findLast(({ end }) => end <= place.at)?.end ?? 0;
  const end = mentions.find(({ at }) => at >= place.end)?.at ?? Infinity;
  const row = figures.filter(({ at }) => at >= begin && at < end);
  const figureBefore = figures.findLast((figure) => figure.end <= begin)?.end ?? 0;
  const names = mentions
    .filter((mention) => mention.at >= figureBefore && mention.end <= begin)
    .map(({ key }) => key);
  const distinct = names.filter((name, at) => name !== names[at - 1]);
  if (distinct.length < 2 || distinct.length !== row.length) return null;
  return distinct[row.findIndex(({ at }) => at === place.at)] ?? null;
}

/** Every match of the patterns, the longer of two that overlap, in the order of the text. */
export function mentionsOf(text: string, patterns: Iterable<readonly [string, RegExp]>): Mention[] {
  const all: Mention[] = [];
  for (const [key, pattern] of patterns) {
    for (const { 0: found, index } of text.matchAll(pattern))
      all.push({ key, at: index, end: index + found.length });
  }
  const longestFirst = all.toSorted((a, b) => b.end - b.at - (a.end - a.at));
  const kept: Mention[] = [];
  for (const mention of longestFirst) {
    if (kept.every(({ at, end }) => mention.end <= at || mention.at >= end)) kept.push(mention);
  }
  return kept.toSorted((a, b) => a.at - b.at);
}
