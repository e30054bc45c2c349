import { MEANINGS, type VerifyCode } from './codes';

/** A step of a verification. */
export interface Step {
  name:
    | 'form'
    | 'hash'
    | 'signature'
    | 'block'
    | 'calls'
    | 'figures'
    | 'liquidation'
    | 'proof'
    | 'data'
    | 'model'
    | 'rerun'
    | 'crossing'
    | 'forecast'
    | 'inclusion'
    | 'consistency'
    | 'anchor';
  ok: boolean;
  /** The comparison, or the first difference. */
  detail: string;
}

/** Makes a step of a verification and keeps its detail. */
export type MakeStep = <T>(
  of: Step['name'],
  work: () => T | Promise<T>,
  detail: (value: T) => string,
) => Promise<T>;

/** The outcome of a verification. */
export interface Verification {
  /** The kind of the receipt. Null: it has no form of a receipt. A simulation needs no node, and forecasts need the log. */
  kind: 'position' | 'crossing' | 'simulation' | 'forecast' | null;
  steps: Step[];
  /** The first difference. Null: none was found in the steps that were made. */
  code: VerifyCode | null;
  /** The meaning of the code. */
  meaning: string | null;
  /** Whether a node made the same calls. False without a node. */
  isRead: boolean;
  /** Whether a published formula gave the figures, or the rerun of a simulation. False also where none is published. */
  isRecomputed: boolean;
  /** Places of the calls whose results follow from storage with proofs. Empty without `proof`. */
  proven: readonly number[];
}

/** A difference ends the verification. */
export class Difference extends Error {
  override readonly name = 'Difference';

  constructor(
    readonly code: VerifyCode,
    detail: string,
  ) {
    super(detail);
  }

  get meaning(): string {
    return MEANINGS[this.code];
  }
}
