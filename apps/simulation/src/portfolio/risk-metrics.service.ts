import { Injectable } from '@nestjs/common';
import {
  type PositionAsset,
  type PositionDetail,
  type PositionList,
  type RiskMetrics,
  type RiskMetricsQuery,
  invalidRequest,
  priceSymbol,
} from '@plimsoll/contracts';
import { type PortfolioRisk, portfolioRisk, simpleReturns } from '@plimsoll/risk-math';
import type { Caller } from '@plimsoll/service-kit';
import { PriceHistories } from '../market/price-histories';
import { PositionSource } from '../position/position-source';

/** Positions with the blocks and times that they are from. */
type Portfolio = Pick<RiskMetrics, 'asOfBlock' | 'blockHash' | 'unreadable' | 'priceTime'> & {
  holdings: Holdings[];
};

const EMPTY: PortfolioRisk = {
  var95: 0,
  cvar95: 0,
  var95Usd: 0,
  cvar95Usd: 0,
  portfolioVolatility: 0,
  sharpeRatio: null,
};
const UNDEFINED = {
  var95: null,
  cvar95: null,
  var95Usd: null,
  cvar95Usd: null,
  portfolioVolatility: null,
  sharpeRatio: null,
};

@Injectable()
export class RiskMetricsService {
  constructor(
    private readonly positions: PositionSource,
    private readonly histories: PriceHistories,
  ) {}

  async measure(caller: Caller, query: RiskMetricsQuery, left: AbortSignal): Promise<RiskMetrics> {
    const { holdings, ...basis } = await this.portfolio(caller, query, left);
    const exposures = netExposures(holdings);
    const netWorthUsd = [...exposures.values()].reduce((sum, usd) => sum + usd, 0);
    const figures = { ...basis, netWorthUsd, positions: holdings.length };
    if (holdings.length === 0) {
      // Unreadable positions may have risk, so it is not zero.
      const risk = basis.unreadable.length > 0 ? UNDEFINED : EMPTY;
      return { ...risk, ...figures, historySource: null, historyWindow: null };
    }
    const assets = [...exposures.keys()];
    const { history, historySource, historyWindow } = this.histories.of(assets);
    const risk = portfolioRisk(
      assets.map((asset, i) => ({
        netUsd: exposures.get(asset)!,
        dailyReturns: simpleReturns(history.close[i]!),
      })),
    );
    return { ...(risk ?? UNDEFINED), ...figures, historySource, historyWindow };
  }

  private async portfolio(
    caller: Caller,
    { positionId, wallet }: RiskMetricsQuery,
    left: AbortSignal,
  ): Promise<Portfolio> {
    if (positionId === undefined) return ofPages(await this.positions.list(caller, wallet, left));
    if (wallet !== undefined) throw bothNamed();
    return ofDetail(await this.positions.read(caller, positionId, left));
  }
}

function ofDetail(detail: PositionDetail): Portfolio {
  const { asOfBlock, blockHash, unreadable, updatedAt } = detail;
  const isOpen = detail.collateralAssets.length + detail.debtAssets.length > 0;
  return { holdings: isOpen ? [detail] : [], asOfBlock, blockHash, unreadable, priceTime: updatedAt };
}

/** The block may change between two pages, so the response states the first. */
function ofPages(pages: readonly PositionList[]): Portfolio {
  const items = pages.flatMap(({ positions }) => positions);
  const { asOfBlock, blockHash } = pages[0]!;
  const unread = pages.flatMap(({ unreadable }) => unreadable);
  const times = items.flatMap(({ updatedAt }) => updatedAt ?? []);
  const none: PositionAsset[] = [];
  return {
    holdings: items.map(({ collateralAssets = none, debtAssets = none }) => ({
      collateralAssets,
      debtAssets,
    })),
    asOfBlock,
    blockHash,
    unreadable: [...new Map(unread.map((each) => [JSON.stringify(each), each])).values()],
    priceTime: times.toSorted()[0] ?? null,
  };
}

function bothNamed(): Error {
  const message = 'Name either wallet or positionId.';
  return invalidRequest([{ field: 'positionId', code: 'unexpected', message }]);
}

/** The holdings and debts of a position. */
interface Holdings {
  collateralAssets: readonly PositionAsset[];
  debtAssets: readonly PositionAsset[];
}

/** The net amount for each price over all positions, debt negative, in USD. */
function netExposures(positions: readonly Holdings[]): Map<string, number> {
  const byAsset = new Map<string, number>();
  const add = ({ asset, usdValue }: PositionAsset, sign: 1 | -1): void => {
    const symbol = priceSymbol(asset);
    byAsset.set(symbol, (byAsset.get(symbol) ?? 0) + sign * usdValue);
  };
  for (const { collateralAssets, debtAssets } of positions) {
    for (const leg of collateralAssets) add(leg, 1);
    for (const leg of debtAssets) add(leg, -1);
  }
  return byAsset;
}
