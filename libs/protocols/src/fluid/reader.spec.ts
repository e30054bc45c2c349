import { contractOf, readAll } from '@plimsoll/evm';
import { describeRecordedFamily } from '../../test/describe-recorded-family';
import { openRecording } from '../../test/open-recording';
import { isReadable } from '../reader/raw-position';
import { fluidAbi } from './layout';

describeRecordedFamily('fluid/fluid-400-days', ({ vaultResolver }) => vaultResolver);

describe('a vault of fluid whose oracle fails', () => {
  it('makes unreadable only its own positions, also those that a stranger sends to a wallet', async () => {
    const { row, scope, reader, wallets, block } = openRecording('fluid/fluid-dead-feed');
    const resolver = contractOf(row, 'vaultResolver');
    const { positions, unreadable } = await reader.readPositions(wallets, block);
    expect(unreadable).toEqual([]);
    const vaults = await readAll(scope, 'vaults', block, (plan) =>
      positions.map(({ subId }) => plan.call(resolver, fluidAbi, 'vaultByNftId', [BigInt(subId)])),
    );
    const failed = new Set(vaults.filter((_, at) => !isReadable(positions[at]!)));
    expect(failed.size).toBe(1);
    const others = positions.filter((_, at) => !failed.has(vaults[at]!));
    expect(others.length).toBeGreaterThan(100);
    expect(others.every(isReadable)).toBe(true);
    const both = new Set(others.map(({ wallet }) => wallet));
    expect(positions.some((each) => !isReadable(each) && both.has(each.wallet))).toBe(true);
  });
});
