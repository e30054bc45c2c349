import type { Json } from './canonical';
import {
  type Check,
  bool,
  hash,
  hex32,
  listOf,
  number,
  object,
  only,
  orNull,
  signature,
  text,
  upTo,
  whole,
} from './checks';
import type { Receipt } from './receipt';

/** An amount of a simulated position. Doubles are text: see `numberText`. */
export interface SimulatedDebt {
  asset: string;
  amount: string;
  priceUsd: string;
}

export interface SimulatedCollateral extends SimulatedDebt {
  liquidationThreshold: string;
}

/** The market that the paths are drawn from, in the order of `assets`. */
export type SimulationData =
  | {
      assets: readonly string[];
      /** Daily prices of each asset over the same days, oldest first. */
      close: readonly (readonly string[])[];
      low: readonly (readonly string[])[];
      high: readonly (readonly string[])[];
    }
  | { assets: readonly string[]; dailyCovariance: readonly (readonly string[])[] };

/** The signed part of the receipt of a simulation. It has everything that a rerun needs, beside the data. */
export interface SimulationContent {
  version: 1;
  kind: 'simulation';
  /** The release that ran it. */
  build: string;
  model: { name: 'fhs' | 'gbm'; version: string };
  /** The position whose amounts were simulated, and the block of its figures. */
  position: { id: string; chainId: number; block: { number: number; hash: string }; isHypothetical: boolean };
  parameters: {
    seed: number;
    paths: number;
    horizonDays: number;
    /** fhs: growth of the log price a year. gbm: simple growth a day. In the order of the assets of the data. */
    drift: readonly string[];
  };
  inputs: { collateral: readonly SimulatedCollateral[]; debt: readonly SimulatedDebt[] };
  data: {
    /** SHA-256 of the canonical JSON of the data. */
    hash: string;
    sources: readonly string[];
    /** UTC days. */
    from: string;
    to: string;
  };
  outputs: {
    liquidationProbability: string;
    standardError: string;
    upperBound95: string | null;
    percentiles: { p5: string; p50: string; p95: string } | null;
    method: 'closed_form' | 'quasi_monte_carlo' | 'monte_carlo';
    /** Null for gbm, which does not compute it. */
    firstPassageDays: Readonly<Record<'p5' | 'p10' | 'p25' | 'p50' | 'p75', number | null>> | null;
  };
}

/** The receipt of a simulation. The data are beside the signed part, which has their hash. */
export interface SimulationReceipt extends Omit<Receipt, 'content'> {
  content: SimulationContent;
  data: SimulationData;
}

/** The most that the API simulates, so that no receipt keeps a verifier busy for long. */
const MOST_PATHS = 100_000;
const MOST_DAYS = 365;
const MOST_SEED = 2 ** 32 - 1;

const debt = { asset: text, amount: number, priceUsd: number };
const rows = listOf(listOf(number));
const days = orNull(upTo(MOST_DAYS));

const history = object({ assets: listOf(text), close: rows, low: rows, high: rows });
const covariances = object({ assets: listOf(text), dailyCovariance: rows });
const data: Check = (value, path) => {
  const isHistory = typeof value === 'object' && value !== null && 'close' in value;
  return (isHistory ? history : covariances)(value, path);
};

const content = object({
  version: only(1),
  kind: only('simulation'),
  build: text,
  model: object({ name: only('fhs', 'gbm'), version: text }),
  position: object({
    id: text,
    chainId: whole,
    block: object({ number: whole, hash: hex32 }),
    isHypothetical: bool,
  }),
  parameters: object({
    seed: upTo(MOST_SEED),
    paths: upTo(MOST_PATHS),
    horizonDays: upTo(MOST_DAYS),
    drift: listOf(number),
  }),
  inputs: object({
    collateral: listOf(object({ ...debt, liquidationThreshold: number })),
    debt: listOf(object(debt)),
  }),
  data: object({ hash, sources: listOf(text), from: text, to: text }),
  outputs: object({
    liquidationProbability: number,
    standardError: number,
    upperBound95: orNull(number),
    percentiles: orNull(object({ p5: number, p50: number, p95: number })),
    method: only('closed_form', 'quasi_monte_carlo', 'monte_carlo'),
    firstPassageDays: orNull(object({ p5: days, p10: days, p25: days, p50: days, p75: days })),
  }),
});
const unsigned = object({ content, data });
const receipt = object({ content, hash, signature, data });

/** The path of the first part that is wrong before a receipt is signed, empty for all of it. Null: none is. */
export function wrongUnsignedSimulationPart(value: Json | undefined): string | null {
  return unsigned(value, '')?.slice(1) ?? null;
}

/** The path of the first part of a value that no receipt of a simulation has. Null: the value has its form. */
export function wrongSimulationPart(value: Json): string | null {
  return receipt(value, 'receipt');
}
