import type { TimeFigure } from './figure';

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const WEEKDAYS = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'];
const MONTH = String.raw`(jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)\.?`;
const DAY = String.raw`(\d{1,2})(?:st|nd|rd|th)?`;
const BEFORE = String.raw`(?<![\w.,:/'-])`;
const AFTER = String.raw`(?![\w:/+-]|[.,]\d)`;

type Reader = [RegExp, (groups: readonly string[]) => Omit<TimeFigure, 'kind' | 'text'>];

const n = (digits: string | undefined): number => Number(digits);
const month = (name = ''): number => MONTHS.indexOf(name.slice(0, 3).toLowerCase()) + 1;
const yearIf = (digits: string | undefined): { year?: number } => (digits ? { year: n(digits) } : {});

/** The known spellings of dates and times. Any others are unexplained digits. */
const READERS: readonly Reader[] = [
  [
    new RegExp(
      String.raw`${BEFORE}(\d{4})-(\d{2})-(\d{2})[T ](\d{2}):(\d{2})(?::(\d{2})(?:\.\d{1,3})?)?(?: ?(?:Z|UTC)\b)?${AFTER}`,
      'g',
    ),
    ([year, mon, day, hour, minute, second]) => ({
      year: n(year),
      month: n(mon),
      day: n(day),
      hour: n(hour),
      minute: n(minute),
      ...(second && { second: n(second) }),
    }),
  ],
  [
    new RegExp(String.raw`${BEFORE}(\d{4})-(\d{2})-(\d{2})${AFTER}`, 'g'),
    ([year, mon, day]) => ({ year: n(year), month: n(mon), day: n(day) }),
  ],
  [
    new RegExp(String.raw`\b${MONTH} ${DAY}(?:,? (\d{4}))?${AFTER}(?! \d)`, 'gi'),
    ([name, day, year]) => ({ month: month(name), day: n(day), ...yearIf(year) }),
  ],
  [
    new RegExp(String.raw`${BEFORE}${DAY} (?:of )?${MONTH}(?:,? (\d{4}))?${AFTER}(?! \d)`, 'gi'),
    ([day, name, year]) => ({ month: month(name), day: n(day), ...yearIf(year) }),
  ],
  [
    new RegExp(String.raw`\b${MONTH},? (\d{4})${AFTER}(?! \d)`, 'gi'),
    ([name, year]) => ({ month: month(name), year: n(year) }),
  ],
  [
    new RegExp(
      String.raw`${BEFORE}(\d{1,2}):(\d{2})(?::(\d{2}))?(?: ?(?:Z|UTC|GMT)\b)?${AFTER}(?! ?[ap]\.?m\b)`,
      'gi',
    ),
    ([hour, minute, second]) => ({
      hour: n(hour),
      minute: n(minute),
      ...(second && { second: n(second) }),
    }),
  ],
  [
    /\b(?:in|since|during) ((?:19|20)\d{2})(?![\w:/+-]|[.,]\d| \d| ?%| (?:USD|dollars?|days?|hours?|minutes?|positions?|[A-Z]{2,}))/g,
    ([year]) => ({ year: n(year) }),
  ],
  [
    /\bin (january|february|march|april|june|july|august|september|october|november|december)\b/gi,
    ([name]) => ({ month: month(name) }),
  ],
  [
    /\b(sun|mon|tues|wednes|thurs|fri|satur)days?\b/gi,
    ([name = '']) => ({ weekday: WEEKDAYS.indexOf(name.slice(0, 3).toLowerCase()) }),
  ],
  [/\b(yesterday|tomorrow)\b/gi, ([word]) => ({ fromToday: word?.toLowerCase() === 'yesterday' ? -1 : 1 })],
  [/\b(midnight|noon)\b/gi, ([word]) => ({ hour: word?.toLowerCase() === 'noon' ? 12 : 0, minute: 0 })],
];

/** Removes the dates and times from a text. `taken` replaces each. */
export function readDates(text: string, taken: string): { figures: TimeFigure[]; rest: string } {
  const figures: TimeFigure[] = [];
  const rest = READERS.reduce(
    (left, [pattern, read]) =>
      left.replace(pattern, (whole: string, ...groups: string[]) => {
        figures.push({ kind: 'time', text: whole, ...read(groups) });
        return taken;
      }),
    text,
  );
  return { figures, rest };
}

/** Whether an instant equals the figure in every part that the figure has. */
export function isAt(figure: TimeFigure, ms: number, nowMs: number): boolean {
  const at = new Date(ms);
  const says = (part: number | undefined, actual: number): boolean => part === undefined || part === actual;
  const dayOf = (time: number): number => Math.floor(time / 86_400_000);
  return (
    says(figure.year, at.getUTCFullYear()) &&
    says(figure.month, at.getUTCMonth() + 1) &&
    says(figure.day, at.getUTCDate()) &&
    says(figure.hour, at.getUTCHours()) &&
    says(figure.minute, at.getUTCMinutes()) &&
    says(figure.second, at.getUTCSeconds()) &&
    says(figure.weekday, at.getUTCDay()) &&
    says(figure.fromToday, dayOf(ms) - dayOf(nowMs))
  );
}
