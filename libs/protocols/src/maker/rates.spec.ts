import { contractOf, readAll } from '@plimsoll/evm';
import { type Hex, parseAbi } from 'viem';
import { openRecording } from '../../test/open-recording';
import { yearlyOf } from '../reader/asset-rates';
import { jugAbi, makerAbi, vatAbi } from './abi';
import { ilkRate, rayPow } from './math';

const RAY = 10n ** 27n;
const YEAR = 31_536_000n;
const engineAbi = parseAbi([
  'function ilk() view returns (bytes32)',
  'function usds() view returns (address)',
]);

describe('rates of maker', () => {
  const { row, scope, reader, block } = openRecording('maker/maker-400-days');

  it('are the fees at which the rate of each ilk grows', async () => {
    const rates = (await reader.readRates(block))!;
    const ilks = await readAll(scope, 'ilks', block, (plan) =>
      plan.call(contractOf(row, 'ilkRegistry'), makerAbi, 'list', []),
    );
    expect(rates.map(({ subId }) => subId)).toEqual(ilks);
    const { base, states } = await readAll(scope, 'fees', block, (plan) => ({
      base: plan.call(contractOf(row, 'jug'), jugAbi, 'base', []),
      states: ilks.map((ilk) => ({
        vat: plan.call(contractOf(row, 'vat'), vatAbi, 'ilks', [ilk]),
        fee: plan.call(contractOf(row, 'jug'), jugAbi, 'ilks', [ilk]),
      })),
    }));
    for (const [index, { borrow, supply, unit }] of rates.entries()) {
      const { vat, fee } = states[index]!;
      const [[, rate], [duty, lastDrip]] = [vat, fee];
      const seconds = block.timestamp - lastDrip;
      // The recorded debts of vaults prove ilkRate.
      expect((rayPow(RAY + borrow!.raw, seconds) * rate) / RAY).toBe(
        ilkRate({ rate, duty, base, lastDrip }, block.timestamp),
      );
      const yearly = Number(rayPow(RAY + borrow!.raw, YEAR)) / 1e27 - 1;
      expect(yearlyOf(borrow!.raw, unit)!.apy).toBeCloseTo(yearly, 9);
      expect(supply).toBeNull();
    }
    expect(rates.some(({ borrow }) => borrow!.raw > 0n)).toBe(true);
  });

  it('an ilk of an engine lends USDS, and the others DAI', async () => {
    const rates = (await reader.readRates(block))!;
    const engines = ['lockstakeEngine', 'lockstakeEngineV1'].flatMap(
      (name) => (row.contracts[name] as Hex | undefined) ?? [],
    );
    const lent = await readAll(scope, 'engines', block, (plan) =>
      engines.map((engine) => ({
        ilk: plan.call(engine, engineAbi, 'ilk', []),
        usds: plan.call(engine, engineAbi, 'usds', []),
      })),
    );
    const usdsOf = new Map(lent.map(({ ilk, usds }) => [ilk as string, usds.toLowerCase()]));
    for (const { subId, token, collateral } of rates) {
      expect(token).toBe(usdsOf.get(subId) ?? contractOf(row, 'dai'));
      expect(collateral?.symbol).toBeTruthy();
    }
  });
});
