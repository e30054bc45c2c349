import { contractOf, lowerCase, readAll } from '@plimsoll/evm';
import { zeroAddress, type Address } from 'viem';
import { describeRecordedFamily } from '../../test/describe-recorded-family';
import { openRecording } from '../../test/open-recording';
import type { RawPosition } from '../reader/raw-position';
import { enginesOf } from './accounts';
import { engineAbi, makerAbi, cropperAbi } from './abi';

const NAME = 'maker/maker-400-days';
const { row, scope, reader, wallets, block } = openRecording(NAME);

describeRecordedFamily(NAME, ({ getCdps }) => getCdps);

const symbolsOf = (positions: readonly RawPosition[], side: string): Set<string> =>
  new Set(
    positions.flatMap(({ legs }) => legs.filter((leg) => leg.side === side).map(({ symbol }) => symbol)),
  );
const isUrn = ({ subId }: RawPosition): boolean => subId.startsWith('0x');

describe('urns of lockstake, by their own code', () => {
  it('are named by their addresses, secured by the staked token, and owe USDS', async () => {
    const { positions } = await reader.readPositions(wallets, block);
    const staked = positions.filter(isUrn);
    expect(new Set(staked.map(({ subId }) => subId)).size).toBe(staked.length);
    expect(symbolsOf(staked, 'collateral')).toEqual(new Set(['MKR', 'SKY']));
    expect(symbolsOf(staked, 'debt')).toEqual(new Set(['USDS']));
    const others = positions.filter((each) => !isUrn(each));
    expect(symbolsOf(others, 'debt')).toEqual(new Set(['DAI']));
  });

  it('are all that a wallet opened, of both engines', async () => {
    const { positions } = await reader.readPositions(wallets, block);
    const counts = await readAll(scope, 'urns', block, (plan) =>
      wallets.map((wallet) =>
        enginesOf(row).map((engine) => plan.call(engine, engineAbi, 'ownerUrnsCount', [wallet])),
      ),
    );
    const opened = wallets.map((wallet, at) => [wallet, counts[at]!.map(Number)] as const);
    expect(opened.some(([, each]) => each.some((count) => count > 1))).toBe(true);
    for (const [wallet, each] of opened) {
      const held = positions.filter(
        (position) => isUrn(position) && position.wallet === wallet && !position.proxy,
      );
      // One that auctions took is no position.
      expect(held.length).toBeLessThanOrEqual(each.reduce((sum, count) => sum + count, 0));
    }
  });

  it('an engine that cannot be read makes wallets unreadable, which are not without positions', async () => {
    const [engine] = enginesOf(row) as [Address];
    const failing = openRecording(NAME, 0, { faults: { [engine]: { ok: false, data: '0x' } } });
    const { positions, unreadable } = await failing.reader.readPositions(wallets, block);
    expect(positions).toEqual([]);
    expect(unreadable).toMatchObject([{ protocol: row.protocol, reason: 'call_failed' }]);
  });
});

describe('urns of the vat itself, by its own code', () => {
  it('are found under the address of a wallet, of its proxy, and of its urn proxy for a CropJoin', async () => {
    const { positions } = await reader.readPositions(wallets, block);
    const raw = positions.filter(({ subId }) => subId.includes(':'));
    const cropper = contractOf(row, 'cropper');
    const urnProxies = await readAll(scope, 'urn proxies', block, (plan) =>
      raw.map(({ wallet }) => plan.call(cropper, cropperAbi, 'proxy', [wallet])),
    );
    const kinds = raw.map(({ wallet, subId, proxy }, at) => {
      const urn = subId.split(':')[1];
      if (urn === wallet) return 'wallet';
      if (urn === proxy?.address) return 'proxy';
      return urn === lowerCase(urnProxies[at]!) ? 'urn proxy' : 'unknown';
    });
    expect(new Set(kinds)).toEqual(new Set(['wallet', 'urn proxy']));
  });
});

describe('vaults of an ilk that the registry does not have', () => {
  it('have the name of their ilk as collateral', async () => {
    const { positions } = await reader.readPositions(wallets, block);
    const unnamed = positions.flatMap(({ legs }) =>
      legs.filter(({ side, address }) => side === 'collateral' && address === zeroAddress),
    );
    expect(unnamed.length).toBeGreaterThan(0);
    const named = positions.flatMap(({ legs }) => legs).filter(({ address }) => address !== zeroAddress);
    expect(named.map(({ symbol }) => symbol)).not.toContain(unnamed[0]!.symbol);
  });
});

describe('vaults of proxies, by their own code', () => {
  it('name the proxy, and keep their number as sub-id', async () => {
    const { positions } = await reader.readPositions(wallets, block);
    const behind = positions.filter(({ proxy }) => proxy !== undefined);
    const registry = contractOf(row, 'proxyRegistry');
    const proxies = await readAll(scope, 'proxies', block, (plan) =>
      behind.map(({ wallet }) => plan.call(registry, makerAbi, 'proxies', [wallet])),
    );
    expect(behind.map(({ proxy }) => proxy)).toEqual(
      proxies.map((proxy) => ({ kind: 'ds-proxy', address: lowerCase(proxy) })),
    );
    expect(behind.every(({ subId }) => !subId.includes('@'))).toBe(true);
    expect(behind.length).toBeGreaterThan(5);
  });
});
