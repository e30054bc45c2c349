import type { RiskComponents } from '@plimsoll/contracts';

/** Inputs of the index. */
export interface IndexInputs {
  /** Volatility of the BTC/ETH basket, per √year. */
  volatility: number;
  trackedDebtUsd: number;
  /** The part of it that a fall of 20 % makes liquidatable. */
  endangeredDebtUsd: number;
  /** The part of it in assets whose feed is older than 1.5 heartbeats. */
  oldFeedDebtUsd: number;
  /** Debt-weighted, 0 to 1. */
  utilisation: number;
  /** Largest distance of a stable coin from its peg, as a share. */
  pegDeviation: number;
  /** Fall of the value locked over 24 hours, as a share. 0 when it rose. */
  tvlFall: number;
}

const clamp = (value: number): number => Math.min(1, Math.max(0, value));
const share = (part: number, whole: number): number => (whole > 0 ? clamp(part / whole) : 0);
const oneDecimal = (value: number): number => Math.round(value * 10) / 10;

/** Returns the volatility component of a volatility per √year, 0–100. */
export function volatilityPoints(volatility: number): number {
  return oneDecimal(100 * clamp((volatility - 0.25) / 1));
}

/** Returns the components of the index, each 0–100 with one decimal. See docs/model.md. */
export function indexComponents(inputs: IndexInputs): RiskComponents {
  const endangered = share(inputs.endangeredDebtUsd, inputs.trackedDebtUsd);
  const strain =
    0.35 * clamp((inputs.utilisation - 0.8) / 0.2) +
    0.25 * share(inputs.oldFeedDebtUsd, inputs.trackedDebtUsd) +
    0.25 * clamp(inputs.pegDeviation / 0.05) +
    0.15 * clamp(inputs.tvlFall / 0.2);
  return {
    volatility: volatilityPoints(inputs.volatility),
    liquidationPressure: oneDecimal(100 * clamp(endangered / 0.25)),
    protocolStability: oneDecimal(100 * (1 - strain)),
  };
}

/**
 * Returns the index, 0–100. It is a whole number, so that neither rounding nor a label makes two responses
 * differ.
 */
export function globalRiskIndex({
  volatility,
  liquidationPressure,
  protocolStability,
}: RiskComponents): number {
  return Math.round(0.45 * volatility + 0.35 * liquidationPressure + 0.2 * (100 - protocolStability));
}
