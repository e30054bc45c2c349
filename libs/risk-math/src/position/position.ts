/** A supplied asset that counts as collateral. Prices are the protocol's oracle prices. */
export interface CollateralLeg {
  asset: string;
  /** Whole tokens, not raw units. */
  amount: number;
  priceUsd: number;
  /** 0–1. In an e-mode this is the category's threshold. */
  liquidationThreshold: number;
  /** The liquidator's bonus, as a share of the repaid debt: 0.05 is 5 %. */
  liquidationBonus: number;
}

/** A borrowed asset. */
export interface DebtLeg {
  asset: string;
  /** Whole tokens, interest included. */
  amount: number;
  priceUsd: number;
}

/** A position for the estimators. The same asset may be on both sides, and more than once on either. */
export interface RiskPosition {
  collateral: readonly CollateralLeg[];
  debt: readonly DebtLeg[];
}

/** The symbols of a position, each once, in the order of their first leg. */
export function assetsOf(position: RiskPosition): string[] {
  return [...new Set([...position.collateral, ...position.debt].map(({ asset }) => asset))];
}
