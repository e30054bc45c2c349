import { readAll } from '@plimsoll/evm';
import { zeroAddress, type Address } from 'viem';
import { describeRecordedFamily } from '../../test/describe-recorded-family';
import { openRecording } from '../../test/open-recording';
import { isReadable, type RawPosition } from '../reader/raw-position';
import { fraxlendAbi } from './market';

const RECORDINGS = ['fraxlend/fraxlend-400-days', 'fraxlend/fraxlend-v1-400-days'];
const keysOf = (positions: readonly RawPosition[]): string[] =>
  positions.map(({ wallet, subId }) => `${wallet} ${subId}`);

for (const name of RECORDINGS) {
  describeRecordedFamily(name, ({ registry }) => registry);

  describe(name, () => {
    const { reader, scope, wallets, block } = openRecording(name);

    it('a pair with a maximum LTV of 0 liquidates no debt, so it has no health factor', async () => {
      const { positions } = await reader.readPositions(wallets, block);
      const owing = positions.filter(({ totalDebtRaw }) => totalDebtRaw > 0n);
      const maxLtvs = await readAll(scope, 'maximum LTVs', block, (plan) =>
        owing.map(({ subId }) => plan.call(subId as Address, fraxlendAbi, 'maxLTV', [])),
      );
      const hasNone = owing.map(({ healthFactorRaw }) => healthFactorRaw === null);
      expect(hasNone).toEqual(maxLtvs.map((maxLtv) => maxLtv === 0n));
      expect(hasNone.filter(Boolean).length).toBeGreaterThan(5);
    });

    it('a pair that fails leaves the others of the wallet as they are', async () => {
      const { positions } = await reader.readPositions(wallets, block);
      const pair = positions[0]!.subId as Address;
      // The tokens that it does not name are read at an address without code, which returns nothing.
      const faults = { [pair]: { ok: false, data: '0x' }, [zeroAddress]: { ok: true, data: '0x' } } as const;
      const failing = openRecording(name, 0, { faults });
      const read = await failing.reader.readPositions(wallets, block);
      expect(read.unreadable).toEqual([]);
      const others = positions.filter(({ subId }) => subId !== pair);
      expect(keysOf(read.positions.filter(isReadable))).toEqual(keysOf(others));
      const unreadable = read.positions.filter((position) => !isReadable(position));
      expect(unreadable.map(({ wallet, subId }) => [wallet, subId])).toEqual(
        wallets.map((wallet) => [wallet, pair]),
      );
    });
  });
}
