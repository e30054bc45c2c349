import {
  type CovarianceV1,
  type PositionAsset,
  type PositionDetail,
  type PriceHistoryV1,
  RISK_THRESHOLDS,
  positionId,
  riskLevelOf,
} from '@plimsoll/contracts';
import { RAY, aaveV3AccountTotals } from '@plimsoll/protocols/math';
import { EWMA_LAMBDA, ewmaCovariance, longRunCovariance } from '@plimsoll/risk-math';

const ADDRESS = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8';
const DAYS = 400;
const LAST_DAY = '2026-11-20';
const DAY_MS = 86_400_000;

const PRICES_USD: Record<string, number> = {
  WETH: 3_000,
  WBTC: 96_000,
  LINK: 18.5,
  wstETH: 3_600,
  USDC: 1,
  DAI: 0.9998,
};
const THRESHOLDS_BPS: Record<string, number> = {
  WETH: 8_250,
  WBTC: 7_800,
  LINK: 7_100,
  wstETH: 8_100,
  USDC: 7_800,
};

function asset(symbol: string, amount: number, side: 'collateral' | 'debt'): PositionAsset {
  const priceRaw = BigInt(Math.round(PRICES_USD[symbol]! * 1e8));
  return {
    asset: symbol,
    amount,
    usdValue: (amount * Number(priceRaw)) / 1e8,
    address: ADDRESS,
    amountRaw: String(BigInt(Math.round(amount * 1e6)) * 10n ** 12n),
    decimals: 18,
    priceRaw: String(priceRaw),
    priceDecimals: 8,
    oracle: ADDRESS,
    ...(side === 'collateral' && {
      liquidationThresholdBps: THRESHOLDS_BPS[symbol] ?? 7_500,
      usedAsCollateral: true,
    }),
  };
}

/** A position of whole tokens by symbol, with its health factor on Aave v3. */
export function samplePosition(
  name: string,
  collateral: Record<string, number>,
  debt: Record<string, number>,
): PositionDetail {
  const legs = (amounts: Record<string, number>, side: 'collateral' | 'debt') =>
    Object.entries(amounts).map(([symbol, amount]) => asset(symbol, amount, side));
  const [collateralAssets, debtAssets] = [legs(collateral, 'collateral'), legs(debt, 'debt')];
  const sum = (assets: PositionAsset[]) => assets.reduce((total, { usdValue }) => total + usdValue, 0);
  const raw = aaveHealthFactor(collateralAssets, debtAssets);
  const healthFactor = raw === null ? null : Number(raw) / 1e18;
  return {
    id: positionId({ protocol: 'aave-v3', chainId: 1, market: 'AaveV3Local', subId: name, wallet: ADDRESS }),
    protocol: 'aave-v3',
    chainId: 1,
    market: 'AaveV3Local',
    wallet: ADDRESS,
    healthFactor,
    healthFactorRaw: raw === null ? null : String(raw),
    totalCollateralUsd: sum(collateralAssets),
    totalDebtUsd: sum(debtAssets),
    totalSuppliedUsd: sum(collateralAssets),
    netWorthUsd: sum(collateralAssets) - sum(debtAssets),
    isDust: false,
    ...riskLevelOf(healthFactor, null),
    probability7d: null,
    riskThresholds: RISK_THRESHOLDS,
    collateralAssets,
    debtAssets,
    updatedAt: '2026-11-21T12:00:00.000Z',
    unreadable: [],
    chainStatus: { '1': 'operational' },
    asOfBlock: { '1': 100 },
    blockHash: { '1': `0x${'1'.repeat(64)}` },
  };
}

function aaveHealthFactor(collateral: PositionAsset[], debt: PositionAsset[]): bigint | null {
  const holding = ({ amountRaw, priceRaw, liquidationThresholdBps = 0 }: PositionAsset, isDebt: boolean) => ({
    scaledSupply: isDebt ? 0n : BigInt(amountRaw),
    scaledVariableDebt: isDebt ? BigInt(amountRaw) : 0n,
    stableDebt: 0n,
    usedAsCollateral: !isDebt,
    borrowing: isDebt,
    normalizedIncome: RAY,
    normalizedDebt: RAY,
    price: BigInt(priceRaw),
    unit: 10n ** 18n,
    liquidationThresholdBps: BigInt(liquidationThresholdBps),
    eModeThresholdBps: null,
  });
  return aaveV3AccountTotals([
    ...collateral.map((leg) => holding(leg, false)),
    ...debt.map((leg) => holding(leg, true)),
  ]).healthFactor;
}

/** Daily closes of a price symbol: the same every time, and volatile ones partly together. */
export function closes(symbol: string, days = DAYS): number[] {
  const isStable = ['USDC', 'DAI'].includes(symbol);
  const own = [...symbol].reduce((sum, letter) => sum + letter.charCodeAt(0), 0);
  let price = 100;
  return Array.from({ length: days }, (_, day) => {
    const common = Math.sin(day * day * 0.37) * 0.045;
    const change = isStable ? Math.sin(day * own) * 0.0005 : common + Math.sin(day * (own + 0.7)) * 0.02;
    price *= Math.exp(change);
    return price;
  });
}

export function sampleHistory(symbol: string, version = 1, days = DAYS): PriceHistoryV1 {
  const close = closes(symbol, days);
  const width = ['USDC', 'DAI'].includes(symbol) ? 0.0005 : 0.015;
  return {
    asset: symbol,
    version,
    historySource: 'local-market',
    firstDay: new Date(Date.parse(LAST_DAY) - (days - 1) * DAY_MS).toISOString().slice(0, 10),
    lastDay: LAST_DAY,
    open: close,
    high: close.map((price) => price * (1 + width)),
    low: close.map((price) => price * (1 - width)),
    close,
    corrections: [],
    updatedAt: '2026-11-21T00:05:00.000Z',
  };
}

export function sampleCovariance(symbols: readonly string[], version = 1): CovarianceV1 {
  const returns = symbols.map((symbol) => {
    const prices = closes(symbol).slice(-366);
    return prices.slice(1).map((price, i) => Math.log(price / prices[i]!));
  });
  return {
    returns: 'daily_log',
    asOf: LAST_DAY,
    version,
    historySource: 'local-market',
    assets: [...symbols],
    today: ewmaCovariance(returns),
    longRun: longRunCovariance(returns),
    lambda: EWMA_LAMBDA,
    persistence: 0.98,
    windowDays: 365,
    excluded: [],
    updatedAt: '2026-11-21T00:06:00.000Z',
  };
}
