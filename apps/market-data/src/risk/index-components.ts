import type { RiskComponents } from '@plimsoll/contracts';

/** What the index is made of. */
export interface IndexInputs {
  /** Of the BTC/ETH basket, per √year. */
  volatility: number;
  trackedDebtUsd: number;
  /** Of it, what a fall of 20 % makes liquidatable. */
  endangeredDebtUsd: number;
  /** Of it, what is owed in assets whose feed is older than 1.5 heartbeats. */
  oldFeedDebtUsd: number;
  /** Debt-weighted, 0 to 1. */
  utilisation: number;
  /** Largest distance of a stable coin from its peg, as a share. */
  pegDeviation: number;
  /** Fall of the value locked over 24 hours, as a share; 0 where it rose. */
  tvlFall: number;
}

const clamp = (value: number): number => Math.min(1, Math.max(0, value));
const share = (part: number, whole: number): number => (whole > 0 ? clamp(part / whole) : 0);
const oneDecimal = (value: number): number => Math.round(value * 10) / 10;

/** The volatility component of a volatility per √year, 0–100. */
export function volatilityPoints(volatility: number): number {
  return oneDecimal(100 * clamp((volatility - 0.25) / 1));
}

/** The components of the index (risk-model.md, Scores), each 0–100 with one decimal. */
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

/** The index, 0–100. A whole number, so that neither rounding nor a label can make two answers differ. */
export function globalRiskIndex({
  volatility,
  liquidationPressure,
  protocolStability,
}: RiskComponents): number {
  return Math.round(0.45 * volatility + 0.35 * liquidationPressure + 0.2 * (100 - protocolStability));
}
