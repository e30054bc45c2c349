import { priceSymbol } from '@plimsoll/contracts';
import { ChainReadError } from '@plimsoll/evm';
import { type RawLeg, amountOf, type PlannedCall } from '@plimsoll/protocols';
import { zeroAddress } from 'viem';
import { type Sale, saleInRounds, saleToTarget } from '../amounts/sale';
import { lossBps, valueOf } from '../amounts/position';
import type { SwapQuote, SwapVenue } from '../swaps/swap-port';
import type { DeleverageRequest, Draft, PositionScene } from './plan';
import { Refusal } from './refusal';
import { usdOf } from './usd';
import { approvals } from './wallet-tokens';

/** After a withdrawal and before the repayment, a position must not be closer to liquidation than this. */
const GUARD_RAW = 1_005_000_000_000_000_000n;
/** Most rounds of withdrawing, swapping and repaying that a wallet signs. */
const MAX_ROUNDS = 5;

/**
 * Withdraws collateral, swaps it for the exact repayment, and repays, in rounds when one withdrawal would
 * make the position unsafe. The wallet receives what a swap leaves.
 * @throws Refusal; ChainReadError
 */
export async function draftSellCollateral(
  scene: PositionScene,
  request: DeleverageRequest,
  venue: SwapVenue,
): Promise<Draft> {
  const { position } = scene;
  const sale = cheapestSale(scene, request);
  const rounds = saleInRounds(position, sale, { guardRaw: GUARD_RAW, maxRounds: MAX_ROUNDS });
  if (!rounds) {
    throw new Refusal(
      'infeasible',
      `The position is too close to liquidation to withdraw the collateral in ${MAX_ROUNDS} rounds. Repay first, or choose a lower target.`,
      'strategy',
    );
  }
  const order = { tokenIn: sale.collateral.address, tokenOut: sale.debt.address, amountOut: sale.repayRaw };
  const quote = await venue.quote(scene.chain.client, order, scene.block).catch(refuseUnquoted);
  refuseDearQuote(scene, request, sale, quote);
  const feeUsd = usdOf(sale.collateral, quote.fee, position);
  const lostUsd = usdOf(sale.collateral, sale.sellRaw, position) - usdOf(sale.debt, sale.repayRaw, position);
  return {
    calls: await callsOf(scene, venue, sale, rounds),
    repays: [{ leg: sale.debt, amountRaw: sale.repayRaw }],
    sells: [{ leg: sale.collateral, amountRaw: sale.sellRaw }],
    costs: { feeUsd, slippageUsd: Math.max(0, lostUsd - feeUsd), flashPremiumUsd: 0 },
    permit: null,
  };
}

/**
 * Returns the smallest sale in value among the collaterals that may be sold against the largest debt.
 * @throws Refusal infeasible
 */
export function cheapestSale(
  { position }: PositionScene,
  { aimRaw, maxSlippageBps, asset }: DeleverageRequest,
  flashPremiumBps = 0n,
): Sale<RawLeg> {
  const usd = (leg: RawLeg, amountRaw: bigint): number => usdOf(leg, amountRaw, position);
  const [debt] = position.legs
    .filter(({ side, address }) => side === 'debt' && address !== zeroAddress)
    .toSorted((a, b) => usd(b, b.amountRaw) - usd(a, a.amountRaw));
  const held = position.legs.filter((leg) => leg.side === 'collateral' && leg.usedAsCollateral);
  const candidates = held.filter(
    ({ symbol, address }) =>
      address !== zeroAddress &&
      address !== debt?.address &&
      (asset === null || priceSymbol(symbol) === priceSymbol(asset)),
  );
  if (candidates.length === 0 || !debt) {
    const names = held.map(({ symbol }) => symbol).join(', ') || 'none';
    throw new Refusal('infeasible', `There is no such collateral to sell. It has ${names}.`, 'asset');
  }
  const costs = { slippageBps: BigInt(maxSlippageBps), flashPremiumBps };
  const [cheapest] = candidates
    .flatMap((collateral) => saleToTarget(position, aimRaw, { collateral, debt }, costs) ?? [])
    .toSorted((a, b) => usd(a.collateral, a.sellRaw) - usd(b.collateral, b.sellRaw));
  if (cheapest) return cheapest;
  throw new Refusal(
    'infeasible',
    'No sale of one collateral against the largest debt reaches the target. Choose a lower target.',
    'targetHealthFactor',
  );
}

/** The venue reverts when it has too little of the token. */
function refuseUnquoted(error: unknown): never {
  if (!(error instanceof ChainReadError) || error.code !== 'rpc_rejected') throw error;
  throw new Refusal(
    'infeasible',
    'The exchange cannot deliver so much of the debt asset. Choose a lower target.',
    'targetHealthFactor',
  );
}

function refuseDearQuote(
  { position }: PositionScene,
  { maxSlippageBps }: DeleverageRequest,
  { collateral, debt, sellRaw, repayRaw }: Sale<RawLeg>,
  { amountIn }: SwapQuote,
): void {
  if (amountIn <= sellRaw) return;
  const usdOf = (leg: RawLeg, amount: bigint): bigint => valueOf(leg, amount, position.priceDecimals);
  const loss = lossBps(usdOf(collateral, amountIn), usdOf(debt, repayRaw));
  throw new Refusal(
    'slippage_exceeded',
    `The swap would lose ${loss} basis points against the protocol’s oracle, and ${maxSlippageBps} are allowed. Allow more, or sell less.`,
    'maxSlippageBps',
  );
}

async function callsOf(
  scene: PositionScene,
  venue: SwapVenue,
  { collateral, debt, sellRaw, repayRaw }: Sale<RawLeg>,
  rounds: readonly Sale<RawLeg>[],
): Promise<PlannedCall[]> {
  const { actions, place } = scene;
  const pool = { address: actions.spenderOf(debt), name: actions.contractName(debt) };
  const allowed = [
    ...(await approvals(scene, collateral, { address: venue.spender, name: venue.name }, sellRaw)),
    ...(await approvals(scene, debt, pool, repayRaw)),
  ];
  return [
    ...allowed,
    ...rounds.flatMap((round) => {
      const order = { tokenIn: collateral.address, tokenOut: debt.address, amountOut: round.repayRaw };
      return [
        ...actions.withdraw(collateral, round.sellRaw),
        {
          ...venue.swap(order, round.sellRaw, place.wallet),
          description: `Swap at most ${amountOf(collateral, round.sellRaw)} for ${amountOf(debt, round.repayRaw)} on ${venue.name}`,
        },
        ...actions.repay(debt, round.repayRaw),
      ];
    }),
  ];
}
