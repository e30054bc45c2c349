/** Texts that programs misread. */
export const HOSTILE_TEXTS: readonly string[] = [
  '',
  ' ',
  '\u0000',
  '\r\nx-evil: 1',
  '../../etc/passwd',
  '%00',
  '%2e%2e%2f',
  "' OR 1=1 --",
  '"; DROP TABLE accounts; --',
  '${7*7}',
  '{{7*7}}',
  '<script>alert(1)</script>',
  '__proto__',
  'constructor',
  'toString',
  'null',
  'undefined',
  'NaN',
  '-0',
  '1e999',
  '-1',
  '9007199254740993',
  '0x10',
  '٣',
  '\u202e\u2066',
  '\ud83d',
  'é'.repeat(1_000),
  'a'.repeat(10_000),
  '0x0000000000000000000000000000000000000000',
  'pos_0000000000000000000000',
  '9999-99-99T99:99:99Z',
  '2026-02-30',
  '+275760-09-13T00:00:00.001Z',
  'https://[::1',
];

/** Values of every type of JSON, for a field of any type. */
const HOSTILE_VALUES: readonly unknown[] = [
  null,
  true,
  false,
  0,
  -0,
  -1,
  1.5,
  1e308,
  -1e308,
  5e-324,
  2 ** 53,
  2 ** 63,
  [],
  {},
  [[]],
  [null],
  { length: -1 },
  { toString: 1 },
  ...HOSTILE_TEXTS,
];

/** Bodies that are not an object of the document, or no JSON. */
const WHOLE_BODIES: readonly string[] = [
  '',
  ' ',
  '{',
  '[]',
  'null',
  '0',
  '"text"',
  '{"a":1,}',
  '{"a":NaN}',
  '{"a":1e999}',
  "{'a':1}",
  '\ufeff{}',
  '{"a":"\u0001"}',
  '{"__proto__":{"isAdmin":true}}',
  '{"constructor":{"prototype":{"isAdmin":true}}}',
  '['.repeat(50_000),
  `${'{"a":'.repeat(10_000)}1${'}'.repeat(10_000)}`,
  `[${'0,'.repeat(100_000)}0]`,
  JSON.stringify(Object.fromEntries(Array.from({ length: 5_000 }, (_, at) => [`field${at}`, at]))),
  JSON.stringify({ text: 'x'.repeat(500_000) }),
];

/** Returns so many hostile bodies from a valid example of the operation. */
export function hostileBodies(
  example: Record<string, unknown>,
  count: number,
  random: () => number,
): string[] {
  const bodies = [...WHOLE_BODIES];
  const names = Object.keys(example);
  while (bodies.length < count) bodies.push(mutated(example, names, random));
  return bodies.slice(0, count);
}

function mutated(example: Record<string, unknown>, names: readonly string[], random: () => number): string {
  const pick = <T>(from: readonly T[]): T => from[Math.floor(random() * from.length)]!;
  const body: Record<string, unknown> = { ...example };
  const name = names.length === 0 ? 'field' : pick(names);
  const kind = Math.floor(random() * 5);
  if (kind === 0) delete body[name];
  else if (kind === 1) body[pick(HOSTILE_TEXTS)] = pick(HOSTILE_VALUES);
  else if (kind === 2) body[name] = Array.from({ length: 1_000 }, () => body[name] ?? null);
  else body[name] = pick(HOSTILE_VALUES);
  if (kind === 4 && names.length > 1) body[pick(names)] = pick(HOSTILE_VALUES);
  return JSON.stringify(body);
}
