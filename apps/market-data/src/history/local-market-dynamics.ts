/** Parameters of a synthetic past of an asset. */
export type LocalDynamics =
  | { kind: 'volatile'; annualVolatility: number; marketCorrelation: number }
  /** A staked or wrapped form: the price of the other, with a small discount that comes and goes. */
  | { kind: 'follower'; of: string; deviation: number }
  | { kind: 'stable'; deviation: number };

const ETHER_FORM: LocalDynamics = { kind: 'follower', of: 'ETH', deviation: 0.002 };
const BITCOIN_FORM: LocalDynamics = { kind: 'follower', of: 'BTC', deviation: 0.0008 };
const OTHERS: LocalDynamics = { kind: 'volatile', annualVolatility: 0.95, marketCorrelation: 0.75 };

const BY_SYMBOL: Readonly<Record<string, LocalDynamics>> = {
  BTC: { kind: 'volatile', annualVolatility: 0.5, marketCorrelation: 0.88 },
  ETH: { kind: 'volatile', annualVolatility: 0.68, marketCorrelation: 0.92 },
  LINK: { kind: 'volatile', annualVolatility: 0.85, marketCorrelation: 0.78 },
  STETH: ETHER_FORM,
  WSTETH: ETHER_FORM,
  RETH: ETHER_FORM,
  CBETH: ETHER_FORM,
  WEETH: ETHER_FORM,
  CBBTC: BITCOIN_FORM,
};

/** @param isStable whether the asset has a peg */
export function localDynamics(symbol: string, isStable: boolean): LocalDynamics {
  return isStable ? { kind: 'stable', deviation: 0.0008 } : (BY_SYMBOL[symbol] ?? OTHERS);
}
