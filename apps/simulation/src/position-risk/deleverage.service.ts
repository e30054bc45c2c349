import { Injectable } from '@nestjs/common';
import {
  type DeleverageAnswer,
  type DeleverageBody,
  type PositionDetail,
  invalidRequest,
  priceSymbol,
} from '@plimsoll/contracts';
import {
  type RiskPosition,
  type SellCollateral,
  addToTarget,
  repayToTarget,
  sellToTarget,
} from '@plimsoll/risk-math';
import { riskPosition } from '@plimsoll/risk-position';
import type { Caller } from '@plimsoll/service-kit';
import { positionBasis } from '../position/position-basis';
import { PositionSource } from '../position/position-source';

/** Fee of the usual pool of a volatile pair, and the premium of Aave v3. */
const SWAP_FEE_BPS = 30;
const FLASH_PREMIUM_BPS = 5;
const BPS = 10_000;

@Injectable()
export class DeleverageService {
  constructor(private readonly positions: PositionSource) {}

  async plan(
    caller: Caller,
    positionId: string,
    body: DeleverageBody,
    left: AbortSignal,
  ): Promise<DeleverageAnswer> {
    const { targetHealthFactor, strategy = 'repay_debt', maxSlippageBps } = body;
    if (targetHealthFactor <= 1) throw targetTooLow();
    const detail = await this.positions.read(caller, positionId, left);
    const risk = riskPosition(detail);
    const costs = {
      swapFeeBps: SWAP_FEE_BPS,
      slippageBps: maxSlippageBps,
      flashPremiumBps: strategy === 'flash_loan_unwind' ? FLASH_PREMIUM_BPS : 0,
    };
    const cost = (costs.swapFeeBps + costs.slippageBps + costs.flashPremiumBps) / BPS;
    const candidates = collateralOf(detail, body.asset);
    const sale = strategy === 'repay_debt' ? null : cheapestSale(risk, candidates, targetHealthFactor, cost);
    const fromOutsideUsd = repayToTarget(risk, targetHealthFactor);
    const feasible = strategy === 'repay_debt' || (sale?.isFeasible ?? fromOutsideUsd === 0);
    const bySaleUsd = sale?.isFeasible ? sale.repayUsd : null;
    return {
      ...positionBasis(detail),
      targetHealthFactor,
      protocol: detail.protocol,
      strategy,
      requiredRepayUsd: bySaleUsd ?? fromOutsideUsd,
      feasible,
      sale: sale && {
        asset: symbolOf(detail, sale.asset),
        sellUsd: sale.sellUsd,
        costUsd: sale.sellUsd === null ? null : sale.sellUsd * cost,
        ...costs,
      },
      addCollateralUsd: Object.fromEntries(
        collateralOf(detail, undefined).flatMap((asset) => {
          const usd = addToTarget(risk, asset, targetHealthFactor);
          return usd === null ? [] : [[symbolOf(detail, asset), usd]];
        }),
      ),
    };
  }
}

/**
 * Price symbols of the collateral, or the requested one. @throws invalid_request when it is not among them
 */
function collateralOf({ collateralAssets }: PositionDetail, wanted: string | undefined): string[] {
  const held = [
    ...new Set(
      collateralAssets
        .filter(({ usedAsCollateral }) => usedAsCollateral)
        .map(({ asset }) => priceSymbol(asset)),
    ),
  ];
  if (wanted === undefined) return held;
  if (held.includes(priceSymbol(wanted))) return [priceSymbol(wanted)];
  const message = `The position has no such collateral. It has ${held.join(', ') || 'none'}.`;
  throw invalidRequest([{ field: 'asset', code: 'not_held', message }]);
}

/** The smallest sale in value that reaches the target. If none does, the sale that comes closest. */
function cheapestSale(
  risk: RiskPosition,
  assets: readonly string[],
  target: number,
  cost: number,
): SellCollateral | null {
  const sales = assets.map((asset) => sellToTarget(risk, asset, target, cost));
  const rank = ({ isFeasible, sellUsd }: SellCollateral): number =>
    sellUsd === null ? Infinity : isFeasible ? sellUsd : Number.MAX_VALUE;
  return sales.toSorted((a, b) => rank(a) - rank(b))[0] ?? null;
}

function symbolOf({ collateralAssets }: PositionDetail, symbol: string): string {
  return collateralAssets.find(({ asset }) => priceSymbol(asset) === symbol)?.asset ?? symbol;
}

function targetTooLow(): Error {
  const message = 'targetHealthFactor must be above 1: at 1 the position is on the edge.';
  return invalidRequest([{ field: 'targetHealthFactor', code: 'out_of_range', message }]);
}
