import { readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { openRecording } from '../test/open-recording';
import { FORMULAS } from './formulas-math';
import { addressText, wordReader } from './receipt-math';
import { parseReading } from './verdicts/recorded-reading';

const FOLDER = path.join(__dirname, '../../../test/recordings');
const recordings = Object.keys(FORMULAS).flatMap((family) =>
  readdirSync(FOLDER, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.startsWith(`${family}/`) && file.endsWith('.gz'))
    .map((file) => ({ family, name: file.slice(0, -'.json.gz'.length) })),
);

describe('the published formulas', () => {
  it.each(recordings)('give the figures of the genuine contracts in $name', async ({ family, name }) => {
    const { reader, row, wallets, block } = openRecording(name);
    const { calls } = parseReading(readFileSync(path.join(FOLDER, `${name}.json.gz`))).chain.toJson();
    const read = wordReader((to, data) => {
      const text = calls[to]?.[data as `0x${string}`];
      return text?.startsWith('!') ? null : text;
    });
    const { positions } = await reader.readPositions(wallets, block);
    expect(positions.length).toBeGreaterThan(0);
    const contracts = Object.fromEntries(
      Object.entries(row.contracts).flatMap(([contract, address]) =>
        typeof address === 'string' ? [[contract, BigInt(address)]] : [],
      ),
    );
    for (const position of positions) {
      const { wallet, subId, blockTimestamp: timestamp } = position;
      const own = FORMULAS[family]![1]!({ contracts, wallet: BigInt(wallet), subId, timestamp }, read);
      expect(own).toEqual({
        legs: position.legs.map((leg) => ({
          asset: BigInt(leg.address),
          side: leg.side,
          amount: leg.amountRaw,
          price: leg.priceRaw,
          priceDecimals: leg.priceDecimals,
          oracle: BigInt(leg.oracle),
          liquidationThresholdBps: leg.liquidationThresholdBps,
          usedAsCollateral: leg.usedAsCollateral,
        })),
        totalCollateral: position.totalCollateralRaw,
        totalDebt: position.totalDebtRaw,
        healthFactor: position.healthFactorRaw,
      });
    }
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
