/** A word or phrase to avoid, and what to write instead. */
export interface Suspect {
  pattern: RegExp;
  instead: string;
  /** Files in which the word is the right term. */
  except?: RegExp;
}

/** Files about the AI service. Only there a question has an answer. */
const HAS_ANSWERS =
  /(^|\/)(apps\/ai|bench\/ai|test\/ai-eval|test\/replay|tools\/prose)\/|rest\/ai\/|tools\/openapi\/headers|docs\/api\/ai|docs\/glossary|docs\/decisions\/.*(ai|question)/;

/**
 * Words that this repository used in a private sense, and informal words with a technical synonym. The
 * glossary (docs/glossary.md) has the terms.
 */
export const SUSPECTS: readonly Suspect[] = [
  {
    pattern: /(?<!\bAI )\banswer(s|ed|ing)?\b/i,
    instead: 'response, respond, return or result',
    except: HAS_ANSWERS,
  },
  { pattern: /\b(tell|tells|told|telling)\b/i, instead: 'state, report, notify or distinguish' },
  { pattern: /\b(whoever|whomever|whosoever)\b/i, instead: 'the caller, the client or the process' },
  {
    pattern: /\b(nobody|anybody|somebody|everybody)\b/i,
    instead: 'no client, any caller, another process …',
  },
  { pattern: /\b(asks|asked|asking)\b/i, instead: 'request, query, read or call', except: HAS_ANSWERS },
  { pattern: /\b(hear|hears|heard)\b/i, instead: 'receive or be notified' },
  { pattern: /\bstands? (for|in|at|still|alone|there|open)\b/i, instead: 'is, means or remains' },
  { pattern: /\bany ?more\b/i, instead: 'no longer' },
  { pattern: /\bfor good\b/i, instead: 'permanently' },
  { pattern: /\b(let|lets|letting) go\b/i, instead: 'release' },
  {
    pattern: /\b(alike|likewise|hence|thereof|whereby|whence|lest|albeit|forthwith|hitherto)\b/i,
    instead: 'plain wording',
  },
  { pattern: /\bnone the (less|worse)\b/i, instead: 'plain wording' },
  { pattern: /\bsave for\b|\bbut for\b|\bnone but\b|\bnothing but\b/i, instead: 'except or only' },
  { pattern: /\b(is|are) gone\b/i, instead: 'was removed, is closed or does not exist' },
  { pattern: /\bgoes along\b|\btakes? .{1,30} along\b/i, instead: 'plain wording' },
  { pattern: /\btak(e|es|en|ing) back\b|\btook back\b/i, instead: 'retract, withdraw or revert' },
  { pattern: /\bgiv(e|es|en|ing) back\b|\bgave back\b/i, instead: 'release or return' },
  { pattern: /\bfor ever\b|\bof its own accord\b/i, instead: 'permanently, or plain wording' },
  { pattern: /\bgravest\b/i, instead: 'most severe or worst' },
  { pattern: /\bmend(s|ed|ing)?\b/i, instead: 'repair or correct' },
  { pattern: /\b(crowd|tunnel|tidings|whisper|soul)s?\b/i, instead: "the field's term" },
];
