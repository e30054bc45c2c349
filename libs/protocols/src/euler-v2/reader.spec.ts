import { encodeFunctionData, numberToHex, parseAbi } from 'viem';
import { describeRecordedFamily } from '../../test/describe-recorded-family';
import { openRecording } from '../../test/open-recording';
import type { RawLeg, RawPosition } from '../reader/raw-position';

const NAME = 'euler-v2/euler-v2-400-days';
const abi = parseAbi(['function decimals() view returns (uint8)']);

describeRecordedFamily(NAME, ({ evc }) => evc, { isFull: true });

it('shares of a token without a known size, which anyone can send, hide neither the loan of their account nor others', async () => {
  const { reader, wallets, block } = openRecording(NAME);
  const { positions } = await reader.readPositions(wallets, block);
  const isBeside = ({ side, usedAsCollateral }: RawLeg): boolean =>
    side === 'collateral' && !usedAsCollateral;
  const besideOf = ({ legs }: RawPosition): RawLeg | undefined =>
    legs.find(
      (leg) => isBeside(leg) && !legs.some((other) => other !== leg && other.address === leg.address),
    );
  const indebted = positions.find((each) => each.totalDebtRaw > 0n && besideOf(each) !== undefined)!;
  const sent = besideOf(indebted)!;
  const data = encodeFunctionData({ abi, functionName: 'decimals' });
  const failing = openRecording(NAME, 0, {
    // More decimals than an amount may have.
    faults: (call) =>
      call.to === sent.address && call.data === data
        ? { ok: true, data: numberToHex(200, { size: 32 }) }
        : undefined,
  });
  const read = await failing.reader.readPositions(wallets, block);
  expect(read.unreadable).toEqual([]);
  expect(read.mismatches).toEqual([]);
  const own = read.positions.filter(
    ({ wallet, subId }) => wallet === indebted.wallet && subId.split(':')[0] === indebted.subId,
  );
  expect(own).toEqual([
    { ...indebted, legs: indebted.legs.filter((leg) => leg !== sent) },
    expect.objectContaining({ subId: `${indebted.subId}:${sent.oracle}`, unreadable: 'call_failed' }),
  ]);
  const without = positions.filter(({ legs }) => legs.every(({ address }) => address !== sent.address));
  expect(without.length).toBeGreaterThan(50);
  expect(read.positions).toEqual(expect.arrayContaining(without));
});
