import { encodeFunctionData } from 'viem';
import { openRecording } from '../../test/open-recording';
import { V2_CALLS } from '../aave-v2/layout';
import type { RawLeg } from '../reader/raw-position';
import { oracleAbi } from './abi';
import { V3_CALLS, readAddresses, resolveProvider } from './layout';

const isCounted = ({ side, usedAsCollateral }: RawLeg): boolean => side === 'debt' || usedAsCollateral;

describe.each([
  ['aave-v3/aave-v3-at-one', V3_CALLS],
  ['aave-v2/aave-v2-400-days', V2_CALLS],
] as const)('a price feed of %s that fails', (name, calls) => {
  it('makes only the wallets unreadable whose collateral or debt it prices, and hides no supply beside them', async () => {
    const { scope, reader, wallets, block } = openRecording(name);
    const { oracle } = await readAddresses(scope, await resolveProvider(scope, block), calls, block);
    const { positions } = await reader.readPositions(wallets, block);
    const legsOf = (asset: string): RawLeg[] =>
      positions.flatMap(({ legs }) => legs.filter(({ address }) => address === asset));
    // An asset that some wallets supply without using it as collateral.
    const { address: asset } = positions
      .flatMap(({ legs }) => legs)
      .find(({ address }) => legsOf(address).some(isCounted) && !legsOf(address).every(isCounted))!;
    const data = encodeFunctionData({ abi: oracleAbi, functionName: 'getAssetPrice', args: [asset] });
    const failing = openRecording(name, 0, {
      faults: (call) =>
        call.to === oracle.toLowerCase() && call.data === data ? { ok: false, data: '0x' } : undefined,
    });
    const read = await failing.reader.readPositions(wallets, block);
    const needsIt = positions.filter(({ legs }) =>
      legs.some((leg) => leg.address === asset && isCounted(leg)),
    );
    const others = positions.filter((position) => !needsIt.includes(position));
    expect(others.length).toBeGreaterThan(0);
    expect(read.unreadable).toMatchObject([{ reason: 'call_failed' }]);
    expect(read.unreadable.flatMap((each) => each.wallets).toSorted()).toEqual(
      needsIt.map(({ wallet }) => wallet).toSorted(),
    );
    expect(read.mismatches).toEqual([]);
    expect(read.positions).toEqual(
      others.map(({ legs, ...position }) => ({
        ...position,
        legs: legs.map((leg) => (leg.address === asset ? { ...leg, priceRaw: 0n } : leg)),
      })),
    );
  });
});
