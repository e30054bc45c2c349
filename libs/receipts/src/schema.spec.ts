import { readFileSync } from 'node:fs';
import path from 'node:path';
import { AjvJsonSchemaValidator } from '@modelcontextprotocol/sdk/validation/ajv';
import fc from 'fast-check';
import type { Json } from './canonical';
import { wrongCrossingPart } from './crossing-receipt';
import { wrongForecastPart } from './forecast-receipt';
import { wrongPart } from './receipt';

const DOCS = path.join(__dirname, '../../../docs');
const ADDRESS = `0x${'a'.repeat(40)}`;
const HASH = 'b'.repeat(64);
const OUTPUTS: Json = { totalCollateral: '0', totalDebt: '1', healthFactor: '1' };
const RECEIPT: Json = {
  content: {
    version: 1,
    kind: 'position',
    build: '1.0.0',
    chainId: 1,
    block: { number: 1, hash: `0x${HASH}`, timestamp: 2 },
    position: { id: 'p', protocol: 'aave-v3', family: 'aave-v3', market: 'core', subId: '', wallet: ADDRESS },
    contracts: { pool: ADDRESS },
    caller: ADDRESS,
    calls: [{ to: ADDRESS, data: '0x00', ok: true, resultHash: HASH }],
    prices: [{ asset: ADDRESS, symbol: 'WETH', oracle: ADDRESS, price: '1', decimals: 8 }],
    inputs: [
      {
        asset: ADDRESS,
        side: 'debt',
        amount: '1',
        decimals: 18,
        liquidationThresholdBps: '0',
        usedAsCollateral: false,
      },
    ],
    formula: { name: 'aave-v3', version: 1 },
    outputs: {
      ...OUTPUTS,
      liquidationPrices: [{ asset: ADDRESS, price: '1' }],
      level: 'high',
      probability7d: null,
    },
  },
  hash: HASH,
  signature: { keyId: 'k', signedAt: 1, value: 'A'.repeat(86) },
  results: ['0x'],
};

const { content: POSITION } = RECEIPT as { content: Record<string, Json> };
const READING: Json = {
  block: POSITION['block']!,
  prices: POSITION['prices']!,
  inputs: POSITION['inputs']!,
  outputs: OUTPUTS,
  level: 'high',
  probability7d: null,
};
const CROSSING: Json = {
  content: {
    version: 1,
    kind: 'crossing',
    build: '1.0.0',
    chainId: 1,
    position: POSITION['position']!,
    contracts: { pool: ADDRESS },
    formula: { name: 'aave-v3', version: 1 },
    before: READING,
    after: { ...READING, probability7d: '1' },
  },
  hash: HASH,
  signature: { keyId: 'k', signedAt: 1, value: 'A'.repeat(86) },
};

const { id, protocol, market, subId, wallet } = POSITION['position'] as Record<string, Json>;
const FORECAST: Json = {
  content: {
    version: 1,
    kind: 'forecast',
    build: '1.0.0',
    chainId: 1,
    position: { id: id!, protocol: protocol!, market: market!, subId: subId!, wallet: wallet! },
    block: POSITION['block']!,
    healthFactor: '1',
    model: { name: 'fhs', version: '2' },
    madeAt: 1,
    forecasts: [{ horizonDays: 7, expiresAt: 2, probability: '0', standardError: '1' }],
  },
  hash: HASH,
  signature: { keyId: 'k', signedAt: 1, value: 'A'.repeat(86) },
};

type Path = readonly (string | number)[];

/** The paths of every part. */
function pathsOf(value: Json, at: Path = []): Path[] {
  if (typeof value !== 'object' || value === null) return [at];
  const parts: [string | number, Json][] = Array.isArray(value)
    ? value.map((item: Json, index): [number, Json] => [index, item])
    : Object.entries(value as Record<string, Json>);
  return [at, ...parts.flatMap(([name, item]) => pathsOf(item, [...at, name]))];
}

/** The value with another part, where it has the place for it. Undefined removes it. */
function withPart(value: Json, [name, ...rest]: Path, part: Json | undefined): Json | undefined {
  if (name === undefined) return part;
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value))
    return value.flatMap((item: Json, index) =>
      index === name ? (withPart(item, rest, part) ?? []) : [item],
    );
  const { [name]: own = null, ...others } = value as Record<string, Json>;
  const changed = withPart(own, rest, part);
  return changed === undefined ? others : { ...others, [name]: changed };
}

/** Parts that are valid at some place of a receipt, and neighbours of them that are not. */
const part = fc.constantFrom<Json | undefined>(
  undefined,
  null,
  true,
  0,
  1,
  2,
  36,
  37,
  -1,
  2 ** 53 - 1,
  '',
  '0',
  '00',
  '1',
  '-1',
  '1'.repeat(78),
  '1'.repeat(79),
  'position',
  'crossing',
  'forecast',
  365,
  366,
  'none',
  'liquidatable',
  'collateral',
  'debt',
  'x'.repeat(256),
  'x'.repeat(257),
  '😀'.repeat(256),
  '😀'.repeat(257),
  ADDRESS,
  ADDRESS.toUpperCase(),
  `${ADDRESS}\n`,
  HASH,
  `0x${HASH}`,
  '0x',
  '0x0',
  '0x00',
  'A'.repeat(86),
  [],
  {},
  [null],
  { name: 'a', version: 1 },
  { pool: ADDRESS },
  { note: 1 },
  ['0x00', '0x01'],
);

const FORMS: readonly [file: string, whole: Json, wrong: (value: Json) => string | null][] = [
  ['receipt', RECEIPT, wrongPart],
  ['crossing-receipt', CROSSING, wrongCrossingPart],
  ['forecast-receipt', FORECAST, wrongForecastPart],
];

describe.each(FORMS)('the published schema %s', (file, whole, wrong) => {
  const text = readFileSync(path.join(DOCS, `${file}.schema.json`), 'utf8');
  const schema = JSON.parse(text) as Parameters<AjvJsonSchemaValidator['getValidator']>[0];
  const isValid = new AjvJsonSchemaValidator().getValidator(schema);

  it('accepts what the strict parser accepts, and nothing else', () => {
    const paths = [...pathsOf(whole), ['note'], ['content', 'note'], ['content', 'contracts', 'other']];
    expect(wrong(whole)).toBeNull();
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.constantFrom(...paths), part), { maxLength: 2 }), (changes) => {
        let value: Json = whole;
        for (const [at, changed] of changes) value = withPart(value, at, changed) ?? null;
        expect(isValid(value).valid).toBe(wrong(value) === null);
      }),
      { numRuns: 5_000 },
    );
  });
});
