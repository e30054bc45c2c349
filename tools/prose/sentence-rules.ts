import { SUSPECTS } from './vocabulary';

const MOST_WORDS = 45;
const MOST_SEMICOLONS = 2;
const SHORT = 5;

/** A sentence that begins with one of these has its subject late, or is a fragment that repeats the name below it. */
const RELATIVE_START = /^(What|Who|Whom|Whose|Whatever|Whichever|That which|Those who)\b(?!-)/;
/**
 * A prepositional phrase at the start needs a comma behind it. A missing comma usually means inverted word
 * order.
 */
const PREPOSITION_START =
  /^(Of|Upon|Among|Amid|Beside|Besides|From|By|To whom|Out of|Against|Beyond|Without|Within)\b/;

/** Returns the suspects of one sentence, empty if there are none. */
export function suspectsIn(sentence: string, path: string): string[] {
  const found: string[] = [];
  const isQuestion = sentence.endsWith('?');
  for (const { pattern, instead, except } of SUSPECTS) {
    const match = except?.test(path) ? null : pattern.exec(sentence);
    if (match) found.push(`"${match[0]}": write ${instead}`);
  }
  // A list in parentheses does not make a sentence hard to follow.
  const words = sentence.replace(/\([^()]*\)/g, '').split(/\s+/).length;
  // A few words in a document are a heading: "Who is notified."
  const isHeading = path.endsWith('.md') && words <= SHORT;
  if (RELATIVE_START.test(sentence) && !isQuestion && !isHeading)
    found.push(`begins with "${sentence.split(' ', 1)[0]}": put the subject first`);
  if (PREPOSITION_START.test(sentence) && !sentence.includes(',') && words > SHORT)
    found.push(`begins with "${sentence.split(' ', 1)[0]}": put the subject first`);
  if (words > MOST_WORDS) found.push(`${words} words: make it two sentences`);
  if ((sentence.match(/;/g)?.length ?? 0) > MOST_SEMICOLONS)
    found.push('too many semicolons: make it several sentences');
  return found;
}

const SENTENCE_END = /(?<!\b(?:e\.g|i\.e|etc|vs|cf|approx)\.)(?<=[.!?]["'”)]?)\s+(?=\S)/;

/** Splits a paragraph into sentences. Code spans must be replaced before, because they contain full stops. */
export function sentencesOf(paragraph: string): string[] {
  return paragraph.replace(/\s+/g, ' ').trim().split(SENTENCE_END).filter(Boolean);
}
