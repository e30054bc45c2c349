import { planOf, type BlockRef, contractOf } from '@plimsoll/evm';
import { parseAbi, zeroAddress, type Address } from 'viem';
import { WAD } from '../fixed-point/math';
import { ilkRate, makerPrice } from './math';
import type { ReadScope } from '../reader/family';
import { type MarketTotals, mintedTotals, toUsd } from '../reader/market-totals';
import { addUsdPrice } from '../reader/usd-price';
import { engineAbi, jugAbi, spotAbi, vatAbi } from './abi';
import { enginesOf } from './accounts';

const abi = parseAbi([
  'function list() view returns (bytes32[])',
  'function gem(bytes32 ilk) view returns (address)',
  'function join(bytes32 ilk) view returns (address)',
  'function dec(bytes32 ilk) view returns (uint256)',
  'function balanceOf(address holder) view returns (uint256)',
]);
const RAY = 10n ** 27n;
const [DAI_DECIMALS, PRICE_DECIMALS] = [18, 27];

/**
 * The balances of the joins and engines of all ilks of the registry, and the debt of each with the interest
 * that a drip would add. The vat itself sums only debts. @throws ChainReadError
 */
export async function readMakerTotals(
  { row, multicall, usdOracles }: ReadScope,
  block: BlockRef,
): Promise<MarketTotals | null> {
  const [vat, jug, spotter, registry] = ['vat', 'jug', 'spot', 'ilkRegistry'].map((name) =>
    contractOf(row, name),
  ) as [Address, Address, Address, Address];
  const entry = planOf(row, 'ilks');
  const list = entry.call(registry, abi, 'list', []);
  const engines = enginesOf(row).map((engine) => ({
    ilk: entry.call(engine, engineAbi, 'ilk', []),
    receipts: (['lssky', 'lsmkr'] as const).map((name) => entry.call(engine, engineAbi, name, [])),
  }));
  const { ilks, receiptOf } = await multicall.read(
    entry.build(({ value, outcome }) => ({
      ilks: value(list),
      receiptOf: new Map(
        engines.map(({ ilk, receipts }) => {
          const results = receipts.map(outcome);
          return [value(ilk), results.find(({ ok }) => ok) ?? results[0]!] as const;
        }),
      ),
    })),
    block,
  );
  const plan = planOf(row, 'totals');
  const base = plan.call(jug, jugAbi, 'base', []);
  const par = plan.call(spotter, spotAbi, 'par', []);
  // USDS is exchanged for DAI at one to one.
  const lent = addUsdPrice(plan, usdOracles, contractOf(row, 'dai'));
  const slots = ilks.map((ilk) => ({
    state: plan.call(vat, vatAbi, 'ilks', [ilk]),
    fee: plan.call(jug, jugAbi, 'ilks', [ilk]),
    ratio: plan.call(spotter, spotAbi, 'ilks', [ilk]),
    gem: plan.call(registry, abi, 'gem', [ilk]),
    join: plan.call(registry, abi, 'join', [ilk]),
    decimals: plan.call(registry, abi, 'dec', [ilk]),
  }));
  const { states, lentUsd } = await multicall.read(
    plan.build((results) => ({
      lentUsd: lent(results) ?? WAD,
      states: slots.map(({ state, fee, ratio, gem, join, decimals }) => {
        const { value } = results;
        const [[art, rate, spot], [duty, lastDrip], [, mat]] = [value(state), value(fee), value(ratio)];
        // A collateral that was shut down no longer has a fee, so its debt does not grow.
        const accrued =
          lastDrip === 0n ? rate : ilkRate({ rate, duty, base: value(base), lastDrip }, block.timestamp);
        const price = makerPrice(spot, mat, value(par));
        const held = { gem: value(gem), join: value(join), decimals: value(decimals) };
        return { debt: art * accrued, price, ...held };
      }),
    })),
    block,
  );
  const held = planOf(row, 'collateral');
  const balances = states.map(({ gem, join }, at) => {
    // Lockstake delegates and farms with its balance. Its receipts state the amount. An ilk without a join
    // has no holder.
    const receipt = receiptOf.get(ilks[at]!);
    if (receipt?.ok) return held.call(receipt.value, engineAbi, 'totalSupply', []);
    return gem === zeroAddress || join === zeroAddress ? null : held.call(gem, abi, 'balanceOf', [join]);
  });
  return multicall.read(
    held.build(({ outcome }) => {
      const markets = states.map(({ debt, price, decimals }, at) => {
        const slot = balances[at];
        const balance = slot ? outcome(slot) : null;
        const usdValue = balance?.ok ? balance.value * price : 0n;
        return {
          collateralUsd: toUsd(usdValue, Number(decimals) + PRICE_DECIMALS, WAD),
          debtUsd: toUsd(debt / RAY, DAI_DECIMALS, lentUsd),
        };
      });
      return mintedTotals(markets, block.number);
    }),
    block,
  );
}
