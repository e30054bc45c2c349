const UNITS =
  'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen'.split(
    ' ',
  );
const TENS = 'twenty thirty forty fifty sixty seventy eighty ninety'.split(' ');
const SCALES: Readonly<Record<string, number>> = {
  thousand: 1e3,
  million: 1e6,
  billion: 1e9,
  trillion: 1e12,
};

const CARDINAL = [...UNITS, ...TENS, 'hundred', 'dozen', ...Object.keys(SCALES)].join('|');
const AND = String.raw`(?<=hundred|thousand|million|billion)[ ]and[ ]`;

/** A run of number words: `a hundred`, `thirty-one`, `two hundred and five`, `two and a half`. */
export const CARDINAL_RUN = new RegExp(
  String.raw`\b(?:a )?(?:${CARDINAL})(?:(?:[- ]|${AND})(?:${CARDINAL}))*(?: and a half)?\b`,
  'gi',
);

/** Words that mean a proportion or a multiple. */
export const PROPORTION: Readonly<Record<string, number>> = {
  half: 0.5,
  halve: 0.5,
  halves: 0.5,
  halved: 0.5,
  halving: 0.5,
  double: 2,
  doubles: 2,
  doubled: 2,
  doubling: 2,
  twice: 2,
  twofold: 2,
  triple: 3,
  triples: 3,
  tripled: 3,
  tripling: 3,
  thrice: 3,
  threefold: 3,
  quadruple: 4,
  quadrupled: 4,
  fourfold: 4,
  fivefold: 5,
  tenfold: 10,
};

/** Words that mean a count. */
export const COUNT_WORD: Readonly<Record<string, number>> = { both: 2, 'a pair of': 2, 'a couple of': 2 };

const NUMERATOR: Readonly<Record<string, number>> = { a: 1, one: 1, two: 2, three: 3, four: 4 };
const DENOMINATOR: Readonly<Record<string, number>> = { third: 3, quarter: 4, fifth: 5, tenth: 10 };
/** `a third`, `two-thirds`, `three quarters`. */
export const FRACTION = /\b(a|one|two|three|four)[ -](third|quarter|fifth|tenth)s?\b/gi;

/** The value of a match of FRACTION. */
export function fractionOf(numerator: string, denominator: string): number {
  return (NUMERATOR[numerator.toLowerCase()] ?? 0) / (DENOMINATOR[denominator.toLowerCase()] ?? 1);
}

/**
 * Number words without a defined value: ordinals, vague amounts, other languages. They are never supported.
 */
export const UNREADABLE_WORDS =
  /\b(?:third|fourth|fifth|sixth|seventh|eighth|ninth|tenth|eleventh|twelfth|\w+teenth|quarter|third|fifth|tenth)s?\b|\b(?:tens|dozens|hundreds|thousands|millions|billions|trillions|nil|nought|naught|zilch|umpteen|fortnight)\b/gi;

const FOREIGN_WORDS = [
  'eins zwei drei vier fünf fuenf sechs sieben acht neun zehn elf zwölf zwoelf zwanzig dreißig dreissig vierzig fünfzig sechzig siebzig achtzig neunzig hundert tausend prozent',
  'deux trois quatre cinq sept huit neuf dix onze douze treize quatorze quinze vingt trente quarante cinquante soixante cent mille pourcent',
  'dos tres cuatro cinco seis siete ocho nueve diez doce trece catorce veinte treinta cuarenta cincuenta sesenta setenta ochenta noventa cien ciento mil',
  'uno tre quattro cinque sei sette otto dieci venti trenta quaranta cinquanta cento percento',
  'um dois três quatro oito nove dez vinte trinta quarenta cinquenta',
].flatMap((words) => words.split(' '));
const GERMAN = String.raw`\w*und(?:zwanzig|drei(?:ß|ss)ig|vierzig|fünfzig|sechzig|siebzig|achtzig|neunzig)\w*`;
/** The number words of other languages that are no English words. */
export const FOREIGN_NUMBER_WORDS = new RegExp(
  String.raw`(?<![\p{L}\p{Co}])(?:${FOREIGN_WORDS.join('|')}|${GERMAN})(?![\p{L}\p{Co}])`,
  'giu',
);

/** Roman numerals of two letters and more, except words such as `did`, which has only their letters. */
export const ROMAN =
  /\b(?!mix\b)(?=[mdclxvi]{2,}\b)m{0,3}(?:cm|cd|d?c{0,3})(?:xc|xl|l?x{0,3})(?:ix|iv|v?i{0,3})(?<=[mdclxvi])\b/gi;
/** A text that may be a Roman numeral in any order, such as `IIII`. */
export const ILL_ROMAN = /\b(?:[MDCLXVI]{2,}|[ivx]{2,})\b/g;
/** Number words written as one, and words written letter by letter: `ninetynine`, `n i n e`. */
export const DISGUISED_WORDS = new RegExp(
  String.raw`\b(?:${CARDINAL}){2,}\b|\b(?:[a-z][ .-]){3,}[a-z]\b`,
  'gi',
);
/** Letters that look like a row of digits: `IOO`. */
export const DIGIT_LOOKALIKES = /\b(?=[lo]*[IO])[IlOo]{2,}\b/g;

/** Value of one unit of the last word of a run: a million of `three million`. */
export function placeOfWords(run: string): number {
  return SCALES[/[a-z]+$/i.exec(run)?.[0].toLowerCase() ?? ''] ?? 1;
}

/**
 * The value of a run of number words. Null when it is not a usual spoken number (`one two four zero`).
 * @param run a match of CARDINAL_RUN
 */
export function cardinalOf(run: string): number | null {
  const spoken = run.toLowerCase();
  const plus = spoken.endsWith(' and a half') ? 0.5 : 0;
  const words = spoken
    .replace(/ and a half$/, '')
    .replace(/^a /, 'one ')
    .split(/ and |[ -]/);
  if (words.length === 1 && words[0] === 'dozen') words.unshift('one');
  const value = valueOf(words);
  // The words of the value must equal the text. Otherwise the text is a row of digits and not a number.
  return words.join(' ') === wordsOf(value) || isDozens(words) || isBareScale(words) ? value + plus : null;
}

function valueOf(words: readonly string[]): number {
  let total = 0;
  let current = 0;
  for (const word of words) {
    const scale = SCALES[word];
    if (UNITS.includes(word)) current += UNITS.indexOf(word);
    else if (TENS.includes(word)) current += (TENS.indexOf(word) + 2) * 10;
    else if (word === 'hundred') current = Math.max(current, 1) * 100;
    else if (word === 'dozen') current = Math.max(current, 1) * 12;
    else if (scale !== undefined) {
      total += Math.max(current, 1) * scale;
      current = 0;
    }
  }
  return total + current;
}

const isDozens = (words: readonly string[]): boolean => words.length === 2 && words[1] === 'dozen';
const isBareScale = (words: readonly string[]): boolean =>
  words.length === 1 && (words[0] === 'hundred' || SCALES[words[0] ?? ''] !== undefined);

function wordsOf(value: number): string {
  if (value === 0) return 'zero';
  const words: string[] = [];
  let rest = value;
  for (const [name, scale] of Object.entries(SCALES).toReversed()) {
    if (rest >= scale) words.push(wordsOf(Math.floor(rest / scale)), name);
    rest %= scale;
  }
  if (rest >= 100) words.push(UNITS[Math.floor(rest / 100)]!, 'hundred');
  rest %= 100;
  if (rest >= 20) words.push(TENS[Math.floor(rest / 10) - 2]!);
  if (rest >= 20) rest %= 10;
  if (rest > 0) words.push(UNITS[rest]!);
  return words.join(' ');
}
