import { contractOf, readAll } from '@plimsoll/evm';
import { parseAbi, type Address } from 'viem';
import { openRecording } from '../../test/open-recording';
import { isReadable } from '../reader/raw-position';

const abi = parseAbi([
  'struct Info { address owner; uint256 number; }',
  'struct Value { uint256 value; }',
  'struct Par { bool sign; uint128 value; }',
  'struct Wei { bool sign; uint256 value; }',
  'function getNumMarkets() view returns (uint256)',
  'function getMarketPrice(uint256 marketId) view returns (Value)',
  'function getAccountBalances(Info account) view returns (uint256[] marketIds, address[] tokens, Par[] pars, Wei[] weis)',
]);

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
      positions.map(({ wallet, subId }) => {
        const [number, vault] = subId.split(':').toReversed() as [string, Address?];
        return plan.call(margin, abi, 'getAccountBalances', [
          { owner: vault ?? wallet, number: BigInt(number) },
        ]);
      }),
    );
    expect(positions.map(isReadable)).toEqual(balances.map(([ids]) => !ids.includes(dead[0]!)));
    expect(new Set(positions.map(isReadable))).toEqual(new Set([true, false]));
  });
});
