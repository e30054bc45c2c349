import type { ContractRow } from '@plimsoll/evm';
import type { Address } from 'viem';
import { expectRatios } from './expect-ratios';
import { testWallets } from './local-chain';
import { openRecording } from './open-recording';

const [NOWHERE] = testWallets(1, 0x7000) as [Address];

/**
 * The tests that every family must pass beside those of its figures, on a recording of its own code.
 * @param name of the recording
 * @param heart the contract that every account is read from
 * @param options.later a recording of the same positions after time alone has passed
 * @param options.isFull whether every wallet of the recording has a position
 */
export function describeRecordedFamily(
  name: string,
  heart: (contracts: ContractRow) => unknown,
  { later, isFull = false }: { later?: string; isFull?: boolean } = {},
): void {
  const change = later === undefined ? {} : { later };
  const { row, reader, wallets, block, laterBlock } = openRecording(name, 0, change);

  describe(`${name}, by its own code`, () => {
    it('a contract that cannot be read: unreadable, never an empty list', async () => {
      const address = String(heart(row.contracts)).toLowerCase() as Address;
      const failing = openRecording(name, 0, { faults: { [address]: { ok: false, data: '0x' } } });
      const { positions, unreadable } = await failing.reader.readPositions(wallets, block);
      expect(positions).toEqual([]);
      expect(unreadable).toMatchObject([{ protocol: row.protocol, reason: 'call_failed' }]);
    });

    it('a registry row with a wrong address: the probe reports it', async () => {
      expect(await reader.probe(block)).toEqual({ ok: true });
      const contracts = Object.fromEntries(Object.keys(row.contracts).map((key) => [key, NOWHERE]));
      // An address without code returns nothing.
      const moved = openRecording(name, 0, { contracts, faults: { [NOWHERE]: { ok: true, data: '0x' } } });
      expect(await moved.reader.probe(block)).toMatchObject({ ok: false, reason: 'call_failed' });
    });

    it('wallets without holdings have no position and are not unreadable', async () => {
      const { positions, unreadable } = await reader.readPositions(wallets, block);
      const found = new Set(
        [positions.map(({ wallet }) => wallet), unreadable.flatMap((each) => each.wallets)].flat(),
      );
      const without = wallets.filter((wallet) => !found.has(wallet));
      // Where all have some, the activity of the family has such a wallet.
      expect(without.length > 0).toBe(!isFull);
      const read = await reader.readPositions(without, block);
      expect(read).toEqual({ positions: [], unreadable: [], mismatches: [] });
    });

    if (later === undefined) return;

    it('interest alone changes no principal', async () => {
      const principalsAt = async (at: typeof block) => {
        const { positions } = await reader.readPositions(wallets, at);
        return positions.map(({ wallet, subId, legs }) => [
          wallet,
          subId,
          legs.map(({ address, side, scaledRaw }) => [address, side, scaledRaw]),
        ]);
      };
      const before = await principalsAt(block);
      expect(before.length).toBeGreaterThan(50);
      expect(await principalsAt(laterBlock)).toEqual(before);
    });

    if (reader.ratios)
      it('the inputs of its evaluations give its health factors later too', async () => {
        let at = block;
        const pass = async (): Promise<void> => void (at = laterBlock);
        expect(await expectRatios(reader, wallets, async () => at, pass)).toBeGreaterThan(50);
      });
  });
}
