import { isId } from '@plimsoll/contracts';
import { assetMentions } from './assets';
import { refusalFor } from './guards';
import { movesOf } from './moves';
import type { Question, Topic } from './question';
import { topicOf } from './topics';

const DAYS_OF: Readonly<Record<string, number>> = {
  d: 1,
  day: 1,
  w: 7,
  week: 7,
  month: 30,
  quarter: 90,
  year: 365,
};
const SPAN =
  /\b(\d{1,4}|a|an|one|two|three|the next|next|this|last|past)[\s-]*(days?|d|weeks?|w|months?|quarters?|years?)\b/i;
const COUNT_WORDS: Readonly<Record<string, number>> = { two: 2, three: 3 };
const HOURS = /\b(\d{1,3})[\s-]*h(?:ours?|rs?)?\b/i;
const LEVEL =
  /(?:health\s*factor|\bhf\b)[^\d%]{0,25}?(\d{1,2}(?:\.\d+)?)(?!\s*(?:%|percent|\d))|\b(?:reach|to|below|under|above|of|target(?: of)?|at least|less than)\s+(?:a\s+|an\s+)?(?:health\s*factor\s+(?:of\s+)?|hf\s+(?:of\s+)?)?(\d{1,2}(?:\.\d+)?)(?![\d.,]*\s*(?:%|percent|usd|dollars?|days?|weeks?|months?|hours?|h\b|[A-Z]{2,}|\d))/i;

/** Topics whose answer is a forecast of a model. */
const MODELLED: ReadonlySet<Topic> = new Set(['liquidation_probability', 'liquidation_time']);
const SUPPOSED = /\b(?:if|suppose|assum\w+|what happens|in case|scenario|were to|shock|stress|after a)\b/i;

/** Parses a question by rules. Nothing in it is ever followed as an instruction. */
export function parseQuestion(text: string): Question {
  const mentions = assetMentions(text);
  const isSupposed = SUPPOSED.test(text);
  const moves = isSupposed || /[+\-−]\s*\d+(?:\.\d+)?\s*%/.test(text) ? movesOf(text, mentions) : [];
  const named = topicOf(text);
  const topic = topicWithMoves(named, moves.length > 0, isSupposed);
  const ids = text.match(/\b(?:pos|inc)_[0-9A-Za-z]+/g) ?? [];
  return {
    topic,
    refusal: refusalFor(text, topic !== null && MODELLED.has(topic), topic === 'what_if'),
    positionIds: unique(ids.filter((id) => id.startsWith('pos_'))),
    incidentIds: unique(ids.filter((id) => isId('inc', id))),
    wallets: unique(text.match(/\b0x[0-9a-fA-F]{40}\b/g) ?? []),
    assets: unique(mentions.map(({ symbol }) => symbol)),
    moves,
    level: levelOf(text),
    days: daysOf(text),
    words: text.toLowerCase(),
  };
}

/** A change of a price makes it a what-if, unless it asks for something that a what-if lacks. */
function topicWithMoves(named: Topic | null, hasMoves: boolean, isSupposed: boolean): Topic | null {
  if (hasMoves && named !== 'repay_to_target' && named !== 'add_to_target') return 'what_if';
  const isVague = isSupposed && (named === 'health_factor' || named === 'price_change' || named === 'price');
  return isVague ? 'what_if' : named;
}

function levelOf(text: string): number | null {
  const match = LEVEL.exec(text);
  const digits = match?.[1] ?? match?.[2];
  return digits === undefined ? null : Number(digits);
}

function daysOf(text: string): number | null {
  const match = SPAN.exec(text);
  if (match) {
    const unit = match[2]!.toLowerCase().replace(/s$/, '');
    const count = Number(match[1]);
    return (Number.isNaN(count) ? (COUNT_WORDS[match[1]!.toLowerCase()] ?? 1) : count) * (DAYS_OF[unit] ?? 1);
  }
  const hours = HOURS.exec(text);
  return hours ? Number(hours[1]) / 24 : null;
}

function unique(texts: readonly string[]): string[] {
  return [...new Set(texts)];
}
