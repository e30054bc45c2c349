import { contractOf, readAll } from '@plimsoll/evm';
import { encodeFunctionData, numberToHex, parseAbi, type Address } from 'viem';
import { describeRecordedFamily } from '../../test/describe-recorded-family';
import { openRecording } from '../../test/open-recording';
import { isReadable, type RawPosition } from '../reader/raw-position';

const abi = parseAbi([
  'function user_state(address user) view returns (uint256[4])',
  'function loan_exists(address user) view returns (bool)',
  'function has_liquidity(address user) view returns (bool)',
]);

/** The controller of a position: the market of its row, or its sub-id. */
const controllerOf = (row: ReturnType<typeof openRecording>['row'], { subId }: RawPosition): Address =>
  subId === '' ? contractOf(row, 'controller') : (subId as Address);

describeRecordedFamily('llamma-mint/llamma-mint-400-days', ({ controller }) => controller);
describeRecordedFamily('llamma/llamma-400-days', ({ oneWayFactory }) => oneWayFactory);
describeRecordedFamily('llamma-second/llamma-second-400-days', ({ oneWayFactoryV2 }) => oneWayFactoryV2);

describe.each(['llamma-mint', 'llamma', 'llamma-second'])('the loans of %s, by their own code', (family) => {
  it('have the flag and a leg for the converted part exactly where the AMM converted some', async () => {
    const { row, scope, reader, wallets, block } = openRecording(`${family}/${family}-400-days`);
    const { positions } = await reader.readPositions(wallets, block);
    const states = await readAll(scope, 'states', block, (plan) =>
      positions.map((position) =>
        plan.call(controllerOf(row, position), abi, 'user_state', [position.wallet]),
      ),
    );
    const isConverted = states.map(([, converted]) => converted > 0n);
    expect(positions.map(({ flags }) => flags.includes('soft_liquidation'))).toEqual(isConverted);
    expect(
      positions.map(({ legs }) => {
        const debt = legs.find(({ side }) => side === 'debt')!;
        return legs.some(({ side, address }) => side === 'collateral' && address === debt.address);
      }),
    ).toEqual(isConverted);
    expect(new Set(isConverted)).toEqual(new Set([true, false]));
  });
});

describe.each(['llamma', 'llamma-second'])('a market of %s whose oracle fails', (family) => {
  it('makes only the loans in it unreadable', async () => {
    const { scope, reader, wallets, block } = openRecording(`${family}/${family}-dead-feed`);
    const { positions, unreadable } = await reader.readPositions(wallets, block);
    expect(unreadable).toEqual([]);
    const failed = positions.filter((position) => !isReadable(position));
    const markets = new Set(failed.map(({ subId }) => subId));
    expect(markets.size).toBe(1);
    const [market] = markets;
    expect(positions.filter(isReadable).some(({ subId }) => subId === market)).toBe(false);
    expect(new Set(positions.filter(isReadable).map(({ subId }) => subId)).size).toBeGreaterThan(1);
    const loans = await readAll(scope, 'loans', block, (plan) =>
      wallets.map((wallet) => plan.attempt(market as Address, abi, 'loan_exists', [wallet])),
    );
    const borrowers = wallets.filter((_, at) => loans[at]!.ok && (loans[at] as { value: boolean }).value);
    expect(failed.map(({ wallet }) => wallet).toSorted()).toEqual(borrowers.toSorted());
  });
});

describe.each(['llamma', 'llamma-second'])('a controller of %s that fails', (family) => {
  it('makes only its loans unreadable, and hides none of another market', async () => {
    const name = `${family}/${family}-400-days`;
    const { reader, wallets, block } = openRecording(name);
    const { positions } = await reader.readPositions(wallets, block);
    const [{ subId: controller, legs }] = positions as [RawPosition];
    const amm = legs.find(({ side, oracle, address }) => side === 'collateral' && oracle !== address)!.oracle;
    const loans = positions.filter(({ subId }) => subId === controller);
    const borrowers = new Set(loans.map(({ wallet }) => wallet));
    const secured = wallets.map((wallet) => ({
      data: encodeFunctionData({ abi, functionName: 'has_liquidity', args: [wallet] }),
      result: numberToHex(Number(borrowers.has(wallet)), { size: 32 }),
    }));
    const failing = openRecording(name, 0, {
      faults: ({ to, data }) => {
        if (to === controller) return { ok: false, data: '0x' };
        // The AMM of a loan has its collateral. The recording lacks this call, because its controllers respond.
        const stated = to === amm ? secured.find((each) => each.data === data) : undefined;
        return stated && { ok: true, data: stated.result };
      },
    });
    const read = await failing.reader.readPositions(wallets, block);
    expect(read.unreadable).toEqual([]);
    const unread = read.positions.filter((position) => position.unreadable !== undefined);
    expect(new Set(unread.map(({ subId }) => subId))).toEqual(new Set([controller]));
    expect(unread.map(({ wallet }) => wallet).toSorted()).toEqual([...borrowers].toSorted());
    expect(borrowers.size).toBeLessThan(wallets.length);
    expect(read.positions.filter(({ subId }) => subId !== controller)).toEqual(
      positions.filter(({ subId }) => subId !== controller),
    );
  });
});
