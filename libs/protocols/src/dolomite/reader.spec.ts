import { contractOf, lowerCase, readAll } from '@plimsoll/evm';
import { parseAbi, type Address } from 'viem';
import { describeRecordedFamily } from '../../test/describe-recorded-family';
import { openRecording } from '../../test/open-recording';
import { isReadable, type RawPosition } from '../reader/raw-position';

const WAD = 10n ** 18n;

const abi = parseAbi([
  'struct Info { address owner; uint256 number; }',
  'struct Value { uint256 value; }',
  'struct Par { bool sign; uint128 value; }',
  'struct Wei { bool sign; uint256 value; }',
  'function getNumMarkets() view returns (uint256)',
  'function getMarketPrice(uint256 marketId) view returns (Value)',
  'function getAccountBalances(Info account) view returns (uint256[] marketIds, address[] tokens, Par[] pars, Wei[] weis)',
  'function getMarginRatio() view returns (Value)',
  'function getMarketTokenAddress(uint256 marketId) view returns (address)',
  'function getMarketMarginPremium(uint256 marketId) view returns (Value)',
  'function getMarginRatioOverrideByAccount(Info account) view returns (Value)',
]);

/** The owner of the balances of a position, which may be a vault of its wallet. */
function accountOf({ wallet, subId }: RawPosition): { owner: Address; number: bigint } {
  const [number, vault] = subId.split(':').toReversed() as [string, Address?];
  return { owner: vault ?? wallet, number: BigInt(number) };
}

describeRecordedFamily('dolomite/dolomite-400-days', ({ margin }) => margin, { isFull: true });

describe('the thresholds of dolomite, by its own code', () => {
  it('an override of an account replaces the margin ratio and the premiums of its markets', async () => {
    const { row, scope, reader, wallets, block } = openRecording('dolomite/dolomite-400-days');
    const margin = contractOf(row, 'margin');
    const { positions } = await reader.readPositions(wallets, block);
    const count = await readAll(scope, 'count', block, (plan) => plan.call(margin, abi, 'getNumMarkets', []));
    const ids = Array.from({ length: Number(count) }, (_, id) => BigInt(id));
    const { ratio, markets, overrides } = await readAll(scope, 'ratios', block, (plan) => ({
      ratio: plan.call(margin, abi, 'getMarginRatio', []),
      markets: ids.map((id) => ({
        token: plan.call(margin, abi, 'getMarketTokenAddress', [id]),
        premium: plan.call(margin, abi, 'getMarketMarginPremium', [id]),
      })),
      overrides: positions.map((position) =>
        plan.call(margin, abi, 'getMarginRatioOverrideByAccount', [accountOf(position)]),
      ),
    }));
    const premiums = new Map(markets.map(({ token, premium }) => [lowerCase(token), premium.value]));
    let overridden = 0;
    for (const [at, { legs }] of positions.entries()) {
      const { value: override } = overrides[at]!;
      overridden += override > 0n ? 1 : 0;
      for (const leg of legs.filter(({ usedAsCollateral }) => usedAsCollateral)) {
        const premium = override > 0n ? 0n : premiums.get(leg.address)!;
        const required = ((WAD + (override || ratio.value)) * (WAD + premium)) / WAD;
        expect(leg.liquidationThresholdBps).toBe((WAD * 10_000n) / required);
      }
    }
    expect(overridden).toBeGreaterThan(5);
    expect([...premiums.values()].filter((premium) => premium > 0n)).toHaveLength(3);
  });
});

describe('a market of DolomiteMargin without a price', () => {
  it('makes only the accounts unreadable that hold it, by its own code', async () => {
    const { row, scope, reader, wallets, block } = openRecording('dolomite/dolomite-dead-feed');
    const margin = contractOf(row, 'margin');
    const { positions, unreadable } = await reader.readPositions(wallets, block);
    expect(unreadable).toEqual([]);
    const count = await readAll(scope, 'markets', block, (plan) =>
      plan.call(margin, abi, 'getNumMarkets', []),
    );
    const prices = await readAll(scope, 'prices', block, (plan) =>
      Array.from({ length: Number(count) }, (_, id) =>
        plan.attempt(margin, abi, 'getMarketPrice', [BigInt(id)]),
      ),
    );
    const dead = prices.flatMap(({ ok }, id) => (ok ? [] : [BigInt(id)]));
    expect(dead).toHaveLength(1);
    const balances = await readAll(scope, 'balances', block, (plan) =>
      positions.map((position) => plan.call(margin, abi, 'getAccountBalances', [accountOf(position)])),
    );
    expect(positions.map(isReadable)).toEqual(balances.map(([ids]) => !ids.includes(dead[0]!)));
    expect(new Set(positions.map(isReadable))).toEqual(new Set([true, false]));
  });
});
