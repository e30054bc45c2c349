import { planOf, readAll, readLogs } from '@plimsoll/evm';
import type { Address } from 'viem';
import { amountsUsd, legsUsd } from '../../test/expect-totals';
import { openRecording } from '../../test/open-recording';
import { addUsdPrice } from '../reader/usd-price';
import { readSiloIndex } from './index-sources';
import { readSiloIds, readSiloPairs, siloAbi as abi } from './layout';

const { scope, client, reader, wallets, block, firstBlock } = openRecording('silo-v2/silo-v2-400-days');

const sumOf = <T>(of: readonly T[], value: (each: T) => bigint): bigint =>
  of.reduce((sum, each) => sum + value(each), 0n);

async function readSides() {
  const { pairs } = await readSiloPairs(scope, block, await readSiloIds(scope, block));
  return [...pairs].flatMap(([id, { sides }]) => sides.map((side) => ({ id, ...side })));
}

/** Dollars of each token by the oracles of the chain. A token without a price is omitted. */
async function readUsd(tokens: readonly { address: Address; symbol: string }[]) {
  const plan = planOf(scope.row, 'prices');
  const slots = tokens.map(({ address }) => addUsdPrice(plan, scope.usdOracles, address));
  const prices = await scope.multicall.read(
    plan.build((results) => slots.map((slot) => slot(results))),
    block,
  );
  return Object.fromEntries(
    tokens.flatMap(({ symbol }, at) => (prices[at] ? [[symbol, Number(prices[at]) / 1e18]] : [])),
  );
}

describe('silo-v2 totals, of genuine contracts with interest of 400 days', () => {
  it('the positions have every debt share of each silo, and their debts are its debt, each rounded up', async () => {
    const sides = await readSides();
    const { positions } = await reader.readPositions(wallets, block);
    const stated = await readAll(scope, 'debts', block, (plan) =>
      sides.map(({ silo, debtShares }) => ({
        assets: plan.call(silo, abi, 'getDebtAssets', []),
        shares: plan.call(debtShares, abi, 'totalSupply', []),
      })),
    );
    for (const [at, { id, token }] of sides.entries()) {
      const debts = positions
        .filter(({ subId }) => subId === id)
        .flatMap(({ legs }) => legs.filter(({ side, address }) => side === 'debt' && address === token));
      expect(sumOf(debts, ({ scaledRaw }) => scaledRaw)).toBe(stated[at]!.shares);
      const rounding = sumOf(debts, ({ amountRaw }) => amountRaw) - stated[at]!.assets;
      expect(rounding >= 0n && rounding <= BigInt(debts.length)).toBe(true);
    }
    expect(sumOf(stated, ({ assets }) => assets)).toBeGreaterThan(0n);
  });

  it('the logs name one holder more than is recorded, who has the remaining deposits', async () => {
    const found = new Set<Address>();
    for (const source of await readSiloIndex(scope, block))
      for await (const { logs } of readLogs(client, source, firstBlock, block.number))
        for (const log of logs) for (const { wallet } of source.entriesOf(log)) found.add(wallet);
    const others = [...found].filter((wallet) => !wallets.includes(wallet));
    expect(others).toHaveLength(1);
    const { positions } = await reader.readPositions(wallets, block);
    const totals = await reader.readTotals(block);
    expect(totals!.suppliedUsd).toBeGreaterThan(legsUsd(positions, 'collateral'));
  });

  it('are at the prices of the chain’s oracles, not at those of the markets’ own, which differ', async () => {
    const { positions } = await reader.readPositions(wallets, block);
    const totals = await reader.readTotals(block);
    const tokens = new Map(positions.flatMap(({ legs }) => legs.map((leg) => [leg.address, leg])));
    const usd = await readUsd([...tokens.values()]);
    expect(totals!.borrowedUsd / amountsUsd(positions, 'debt', usd)).toBeCloseTo(1, 12);
    // The scenario sets the price of WETH in one market to a hundred times that of the chain: 0.09 % of all debt.
    expect(legsUsd(positions, 'debt') / totals!.borrowedUsd).toBeCloseTo(1.00091, 5);
  });
});
