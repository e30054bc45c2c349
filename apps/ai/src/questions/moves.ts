import type { AssetMention } from './assets';
import type { Move } from './question';

const DOWN =
  /\b(?:fall|drop|declin|decreas|crash|los[et]|down|dip|depeg|slump|shed|lower|plung|tank|correct)\w*/gi;
const UP = /\b(?:ris|increas|gain|up|pump|rall|climb|higher|jump|soar|grow)\w*/gi;
const PERCENT = /([+\-−–]?)\s*(\d{1,6}(?:[.,]\d+)?)\s*(?:%|percent\b|per cent\b)/gi;
const HALVES = /\b(?:halves|halved|halving|in half|by half)\b/i;
const DOUBLES = /\b(?:doubles?|doubled|doubling)\b/i;
const PRICE =
  /\b(?:to|at|hits?|reach(?:es)?|trades? at|is worth|costs?)\s*(?:\$\s*)?(\d[\d,]*(?:\.\d+)?)\s*(k\b)?\s*(%|percent|usd\b|usdc\b|dollars?\b)?/gi;
const EVERYTHING =
  /\b(?:(?:all|every|my|the|its|whole)\s+(?:of\s+)?(?:my\s+|the\s+)?(?:collaterals?|market|assets?|crypto|prices?)|everything|collateral(?: prices?| value)?)\b/i;
/** The largest distance between a change and its direction. */
const NEAR = 45;

/** Hypothetical changes of prices in a text, with their assets. */
export function movesOf(text: string, mentions: readonly AssetMention[]): Move[] {
  const everything = EVERYTHING.test(text);
  const assetAt = (from: number, to: number): string[] => {
    const after = mentions.find(
      ({ at }) =>
        at >= to &&
        /^\s*(?:\w+\s+){0,3}(?:in|of|on|for|from)\s+(?:the\s+(?:price\s+of\s+)?)?\$?$/i.test(
          text.slice(to, at),
        ),
    );
    if (after) return [after.symbol];
    const before = mentions.filter(({ end }) => end <= from);
    const last = before.at(-1);
    if (!last) {
      const next = mentions.find(({ at }) => at >= to);
      return next && !everything ? [next.symbol] : everything ? ['*'] : [];
    }
    // "ETH and BTC fall by 20 %": both, unless a separate change is between them.
    const together = [last];
    for (const mention of before.slice(0, -1).toReversed()) {
      if (
        !/^\s*(?:,|and|or|&|\/|,\s*and|both)+\s*(?:and\s*)?\$?$/i.test(
          text.slice(mention.end, together[0]!.at),
        )
      )
        break;
      together.unshift(mention);
    }
    return together.map(({ symbol }) => symbol);
  };
  const moves: Move[] = [];
  for (const match of text.matchAll(PERCENT)) {
    const [whole, sign, digits] = match;
    const from = match.index;
    const size = Number(digits!.replace(',', '.'));
    const percent = signOf(text, from, from + whole.length, sign!) * size;
    for (const asset of assetAt(from, from + whole.length)) moves.push({ asset, change: { percent } });
  }
  if (moves.length > 0) return moves;
  const half = HALVES.exec(text) ?? DOUBLES.exec(text);
  if (half) {
    const percent = HALVES.test(text) ? -50 : 100;
    return assetAt(half.index, half.index + half[0].length).map((asset) => ({ asset, change: { percent } }));
  }
  return pricesOf(text, mentions);
}

/** Matches "if ETH goes to 2,000 USD". */
function pricesOf(text: string, mentions: readonly AssetMention[]): Move[] {
  if (!/\b(?:if|when|were|should|suppose|assum\w+|at what|with)\b/i.test(text)) return [];
  return [...text.matchAll(PRICE)].flatMap((match) => {
    const isHealthFactor = /health\s*factor|\bhf\b/i.test(
      text.slice(Math.max(0, match.index - 20), match.index),
    );
    const mention = mentions.findLast(({ end }) => end <= match.index);
    if (!mention || isHealthFactor || match.index - mention.end > 30 || /%|percent/i.test(match[3] ?? ''))
      return [];
    const priceUsd = Number(match[1]!.replaceAll(',', '')) * (match[2] ? 1_000 : 1);
    return priceUsd > 0 ? [{ asset: mention.symbol, change: { priceUsd } }] : [];
  });
}

/**
 * −1 or 1: by the written sign, or else by the nearest word of direction. A change without either is a fall.
 */
function signOf(text: string, from: number, to: number, sign: string): number {
  if (sign === '+') return 1;
  if (/[-−–]/.test(sign)) return -1;
  const distance = (pattern: RegExp): number => {
    const near = [...text.matchAll(pattern)].map(({ index, 0: word }) =>
      index >= to ? index - to : from - index - word.length,
    );
    return Math.min(...near.filter((each) => each >= 0), Infinity);
  };
  const [down, up] = [distance(DOWN), distance(UP)];
  return up < down && up <= NEAR ? 1 : -1;
}
