import { gzipSync } from 'node:zlib';
import { HOSTILE_TEXTS, HOSTILE_VALUES } from './hostile-values';

export interface HostileBody {
  /** Null: no body. */
  bytes: string | Buffer | null;
  headers: Record<string, string>;
}

const MIB = 1_048_576;
const BOMB = gzipSync(Buffer.alloc(16 * MIB));
const fields = (count: number): string =>
  JSON.stringify(Object.fromEntries(Array.from({ length: count }, (_, at) => [`field${at}`, at])));

/** Bodies that are not an object of the document, or no JSON. */
const WHOLE: readonly string[] = [
  '',
  ' ',
  '{',
  '[]',
  '{}',
  'null',
  '0',
  '"text"',
  'true',
  '{"a":1,}',
  '{"a":NaN}',
  '{"a":1e999}',
  '{"a":-1e999}',
  '{"a":01}',
  '{"a":0x1}',
  `{"a":${'9'.repeat(10_000)}}`,
  `{"a":0.${'1'.repeat(10_000)}}`,
  "{'a':1}",
  '{"a":1}{"b":2}',
  '{"a":1} x',
  '/* */{}',
  '\ufeff{}',
  '{"a":"\u0001"}',
  '{"a":"\\u0000"}',
  '{"a":"\\ud800"}',
  '{"a":"\\x"}',
  '{"":1}',
  '{"__proto__":{"isAdmin":true}}',
  '{"a":{"__proto__":{"isAdmin":true}}}',
  '{"constructor":{"prototype":{"isAdmin":true}}}',
  '{"hasOwnProperty":1,"toString":1}',
  '['.repeat(50_000),
  '{"a":'.repeat(50_000),
  `${'{"a":'.repeat(10_000)}1${'}'.repeat(10_000)}`,
  `${'['.repeat(31)}1${']'.repeat(31)}`,
  `[${'0,'.repeat(100_000)}0]`,
  `[${'0,'.repeat(1_998)}0]`,
  fields(1_999),
  fields(5_000),
  `{"${'a'.repeat(500_000)}":1}`,
  JSON.stringify({ text: 'x'.repeat(500_000) }),
  `"${'\\u0041'.repeat(150_000)}"`,
  ' '.repeat(MIB),
  `{"a":"${'x'.repeat(MIB)}"}`,
  '\u0000'.repeat(1_000),
];

const JSON_TYPE = { 'content-type': 'application/json' };
const XML = '<?xml version="1.0"?><!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/passwd">]><a>&x;</a>';

/** Other types and encodings than JSON in UTF-8. */
function unusual(example: string): HostileBody[] {
  const types: [string, string | Buffer][] = [
    ['text/plain', example],
    ['text/html', example],
    ['application/xml', XML],
    ['application/x-www-form-urlencoded', 'a=1&a=2&__proto__[x]=1'],
    ['multipart/form-data; boundary=x', '--x\r\nContent-Disposition: form-data; name="a"\r\n\r\n1\r\n--x--'],
    ['application/jsonx', example],
    ['application/merge-patch+json', example],
    ['application/json; charset=utf-16', Buffer.from(example, 'utf16le')],
    ['application/json; charset=latin1', Buffer.from('{"a":"\u00e9"}', 'latin1')],
    ['application/json;', example],
    ['application/json, text/plain', example],
    ['APPLICATION/JSON', example],
    ['application/json; a="', example],
    ['/', example],
    ['application/octet-stream', Buffer.from([0, 1, 2, 255])],
  ];
  const gzip = { ...JSON_TYPE, 'content-encoding': 'gzip' };
  return [
    ...types.map(([type, bytes]) => ({ bytes, headers: { 'content-type': type } })),
    { bytes: Buffer.from([0x7b, 0x22, 0x61, 0x22, 0x3a, 0x22, 0xff, 0xfe, 0x22, 0x7d]), headers: JSON_TYPE },
    { bytes: gzipSync(example), headers: gzip },
    { bytes: BOMB, headers: gzip },
    { bytes: gzipSync(BOMB), headers: { ...JSON_TYPE, 'content-encoding': 'gzip, gzip' } },
    { bytes: example, headers: { ...JSON_TYPE, 'content-encoding': 'br' } },
    { bytes: example, headers: { ...JSON_TYPE, 'content-encoding': 'x'.repeat(1_000) } },
    { bytes: null, headers: JSON_TYPE },
  ];
}

/** Texts of the example that are no longer one JSON object. */
function broken(example: string): string[] {
  const [first = ''] = /"[^"]+":/.exec(example) ?? [];
  return [
    example.slice(0, -1),
    example.slice(0, Math.floor(example.length / 2)),
    `${example}${example}`,
    `[${example}]`,
    JSON.stringify(example),
    example.replaceAll('"', "'"),
    // The same name twice: two programs may read different values.
    example.replace('{', `{${first}null,`),
    example.replace(/\}$/, `,${first}{"a":1}}`),
    example.replace('{', '{"__proto__":{"tier":"enterprise"},'),
    example.replace('{', '{"accountId":"acc_0000000000000000000000","tier":"enterprise",'),
  ];
}

/** Returns so many hostile bodies from a valid example of an operation, in a random order. */
export function hostileBodies(
  example: Record<string, unknown>,
  count: number,
  random: () => number,
): HostileBody[] {
  const text = JSON.stringify(example);
  const bodies: HostileBody[] = [
    ...[...WHOLE, ...broken(text)].map((bytes) => ({ bytes, headers: JSON_TYPE })),
    ...unusual(text),
  ];
  const total = Math.max(count, 200);
  while (bodies.length < total) {
    bodies.push({ bytes: JSON.stringify(mutated(example, random)), headers: JSON_TYPE });
  }
  return shuffled(bodies, random).slice(0, count);
}

/** A copy with one or two fields that are hostile. */
function mutated(example: Record<string, unknown>, random: () => number): unknown {
  const pick = <T>(from: readonly T[]): T => from[Math.floor(random() * from.length)]!;
  // A copy, because the second change may go into the first one.
  const pickValue = (): unknown => structuredClone(pick(HOSTILE_VALUES));
  const body = structuredClone(example);
  for (let at = 0; at <= Math.floor(random() * 2); at += 1) {
    let holder: Record<string, unknown> = body;
    // Half of the time inside an object or array of the body.
    for (;;) {
      const inner = Object.values(holder).filter((value) => typeof value === 'object' && value !== null);
      if (inner.length === 0 || random() < 0.5) break;
      holder = pick(inner) as Record<string, unknown>;
    }
    const name = pick(Object.keys(holder).concat(Object.keys(holder).length === 0 ? ['field'] : []));
    const kind = random();
    if (Array.isArray(holder)) holder[name as never] = pickValue() as never;
    else if (kind < 0.15) delete holder[name];
    else if (kind < 0.3) define(holder, pick(HOSTILE_TEXTS), pickValue());
    else if (kind < 0.4) holder[name] = Array.from({ length: 1_000 }, () => example[name] ?? null);
    else holder[name] = pickValue();
  }
  return body;
}

/** Adds a name of its own, also `__proto__`. */
function define(holder: object, name: string, value: unknown): void {
  Object.defineProperty(holder, name, { value, enumerable: true, configurable: true, writable: true });
}

export function shuffled<T>(items: readonly T[], random: () => number): T[] {
  return items
    .map((item) => [random(), item] as const)
    .sort(([a], [b]) => a - b)
    .map(([, item]) => item);
}
