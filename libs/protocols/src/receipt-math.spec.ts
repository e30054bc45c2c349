import { readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { openRecording } from '../test/open-recording';
import { FORMULAS } from './formulas-math';
import { figuresOf } from './reader/figures-of';
import { namedContracts } from './reader/named-contracts';
import type { RawPosition } from './reader/raw-position';
import { CallMissing, addressText, wordReader, type FormulaResult, type Market } from './receipt-math';
import { parseReading } from './verdicts/recorded-reading';

const FOLDER = path.join(__dirname, '../../../test/recordings');
const recordings = Object.keys(FORMULAS).flatMap((family) =>
  readdirSync(FOLDER, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.startsWith(`${family}/`) && file.endsWith('.gz'))
    .map((file) => ({ family, name: file.slice(0, -'.json.gz'.length) })),
);
const newest = recordings.filter(
  ({ family }, at) => recordings.findIndex((each) => each.family === family) === at,
);

/** Sub-accounts of Euler with shares that secure nothing, whose prices are of oracles outside of the protocol. */
const WITHOUT_FORMULA: Readonly<Record<string, number>> = {
  'euler-v2/euler-v2-400-days': 89,
  'euler-v2/euler-v2-dead-feed': 86,
};

/** The positions of a recording, and the results of its calls. */
async function openPositions(name: string) {
  const { reader, row, wallets, block } = openRecording(name);
  const { calls } = parseReading(readFileSync(path.join(FOLDER, `${name}.json.gz`))).chain.toJson();
  const { positions } = await reader.readPositions(wallets, block);
  const contracts = Object.fromEntries(
    Object.entries(namedContracts(row)).map(([contract, address]) => [contract, BigInt(address)]),
  );
  const resultOf = (to: string, data: string): string | null | undefined => {
    const text = calls[to]?.[data as `0x${string}`];
    return text?.startsWith('!') ? null : text;
  };
  const read = positions
    .filter(({ unreadable }) => unreadable === undefined)
    .map((position) => {
      const { wallet, subId, blockTimestamp: timestamp } = position;
      const market: Market = { contracts, wallet: BigInt(wallet), subId, timestamp };
      return { position, market };
    });
  return { positions: read, resultOf };
}

/** The figures, or null where a call or a word of a result is missing. */
function figuresOrMissing(compute: () => FormulaResult): FormulaResult | null {
  try {
    return compute();
  } catch (error) {
    if (error instanceof CallMissing) return null;
    throw error;
  }
}

/** Calls that may fail: decimals, prices and functions that only some versions have. */
const MAY_FAIL = new Set([
  '0x8c89b64f', // BASE_CURRENCY_UNIT of Aave v2
  '0xb0771dba', // getEModeCategoryCollateralBitmap
  '0xfc57d4df', // getUnderlyingPrice
  '0x07a2d13a', // convertToAssets
  '0x38d52e0f', // asset
  '0x313ce567', // decimals
  '0xec6987de', // getMaxAmountToOffset
  '0x5d3c0ce8', // getMarginRatioOverrideByAccount
  '0x8928378e', // getMarketPrice
  '0x6352211e', // ownerOf
  '0x217a4b70', // quoteToken
  '0xcacf3b58', // previewAddInterest
]);

describe('the published formulas', () => {
  it.each(recordings)('give the figures of the genuine contracts in $name', async ({ family, name }) => {
    const { positions, resultOf } = await openPositions(name);
    const compute = FORMULAS[family]![1]!;
    const without: RawPosition[] = [];
    for (const { position, market } of positions) {
      const own = figuresOrMissing(() => compute(market, wordReader(resultOf)));
      if (hasUnsecuringShares(family, position) && !isDeepStrictEqual(own, figuresOf(position)))
        without.push(position);
      else expect(own).toEqual(figuresOf(position));
    }
    expect(positions.length).toBeGreaterThan(without.length);
    expect(without).toHaveLength(WITHOUT_FORMULA[name] ?? 0);
  });

  it.each(newest)('name a result without a word that they read, in $family', async ({ family, name }) => {
    const { positions, resultOf } = await openPositions(name);
    const compute = FORMULAS[family]![1]!;
    const { market } = positions.find(
      ({ position }) => new Set(position.legs.map(({ side }) => side)).size === 2,
    )!;
    const made = new Map<string, string>();
    const figures = compute(
      market,
      wordReader((to, data) => {
        const result = resultOf(to, data);
        if (result) made.set(`${to} ${data}`, result);
        return result;
      }),
    );
    for (const [call, result] of made) {
      for (const shorter of ['0x', result.slice(0, -64)]) {
        const changed = () =>
          compute(
            market,
            wordReader((to, data) => (`${to} ${data}` === call ? shorter : resultOf(to, data))),
          );
        const own = figuresOrMissing(changed);
        // A formula may leave the last words of a result unread.
        if (own !== null && shorter !== '0x') expect(own).toEqual(figures);
        else if (!MAY_FAIL.has(call.split(' ')[1]!.slice(0, 10))) expect([call, own]).toEqual([call, null]);
      }
    }
    expect(figures.legs.length).toBeGreaterThan(1);
  });

  it('name a call that is missing', () => {
    const contracts = { comet: 0xc0n };
    const compute = () =>
      FORMULAS['comet']![1]!(
        { contracts, wallet: 1n, subId: '', timestamp: 0n },
        wordReader(() => undefined),
      );
    expect(compute).toThrow(`0xc55dae63 of ${addressText(0xc0n)}`);
  });
});

/** Legs of a loan have the oracle of its controller, and other shares that of their vault. */
function hasUnsecuringShares(family: string, { legs, totalDebtRaw }: RawPosition): boolean {
  return family === 'euler-v2' && (totalDebtRaw === 0n || new Set(legs.map(({ oracle }) => oracle)).size > 1);
}
