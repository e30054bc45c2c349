import { type PositionV1, positionId } from '@plimsoll/contracts';

const WALLET = '0x70997970c51812dc3a010c7d01b50e0d17dc79c8';
const TOKEN = { WETH: `0x${'1'.repeat(40)}`, USDC: `0x${'2'.repeat(40)}` };

/** The state of a position in a test: 10 ETH of collateral and a debt in USDC. */
export interface PositionState {
  ethPriceUsd?: number;
  debtUsd?: number;
  /** Scaled collateral, whole tokens. */
  eth?: number;
  blockTimeMs: number;
  closed?: boolean;
}

/** A state of a position as position.v1 carries it. */
export function positionState(
  name: string,
  sequence: number,
  { ethPriceUsd = 3_000, debtUsd = 16_000, eth = 10, blockTimeMs, closed = false }: PositionState,
): PositionV1 {
  const key = { protocol: 'aave-v3', chainId: 1, market: 'AaveV3Local', subId: name, wallet: WALLET };
  const leg = (asset: 'WETH' | 'USDC', side: 'collateral' | 'debt', tokens: number, priceUsd: number) => {
    const raw = String(BigInt(Math.round(tokens * 1e6)) * 10n ** 12n);
    const amount = Number(raw) / 1e18;
    return {
      asset,
      address: TOKEN[asset],
      side,
      amountRaw: raw,
      scaledRaw: raw,
      decimals: 18,
      priceRaw: String(Math.round(priceUsd * 1e8)),
      priceDecimals: 8,
      oracle: TOKEN[asset],
      liquidationThresholdBps: side === 'collateral' ? 8_250 : 0,
      usedAsCollateral: side === 'collateral',
      amount,
      usdValue: amount * priceUsd,
      priceUsd,
    };
  };
  const healthFactor = debtUsd === 0 || closed ? null : (eth * ethPriceUsd * 0.825) / debtUsd;
  return {
    ...key,
    id: positionId(key),
    sequence,
    legs: closed
      ? []
      : [
          leg('WETH', 'collateral', eth, ethPriceUsd),
          ...(debtUsd > 0 ? [leg('USDC', 'debt', debtUsd, 1)] : []),
        ],
    healthFactor,
    healthFactorRaw:
      healthFactor === null ? null : String(BigInt(Math.round(healthFactor * 1e9)) * 10n ** 9n),
    previousHealthFactor: null,
    totalCollateralRaw: String(Math.round(eth * ethPriceUsd * 1e8)),
    totalDebtRaw: String(Math.round(debtUsd * 1e8)),
    baseDecimals: 8,
    totalCollateralUsd: closed ? 0 : eth * ethPriceUsd,
    totalDebtUsd: closed ? 0 : debtUsd,
    band: 'moderate',
    previousBand: null,
    block: 100 + sequence,
    blockHash: `0x${sequence.toString(16).padStart(64, '0')}`,
    blockTime: new Date(blockTimeMs).toISOString(),
    reason: 'health_factor',
    material: true,
    closed,
  };
}
