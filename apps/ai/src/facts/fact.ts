/** The unit of a fact's value. */
export type FactUnit =
  | 'usd'
  | 'percent'
  | 'fraction'
  | 'ratio'
  | 'count'
  | 'days'
  | 'hours'
  | 'block'
  | 'token'
  | 'score'
  | 'time'
  | 'id'
  | 'enum'
  | 'text';

/** One statement that an answer may use, with its source. */
export interface Fact {
  /** Stable within one answer, e.g. `position.pos_x.healthFactor`, `index.gri`; [A-Za-z0-9_.:-]+ */
  readonly id: string;
  /**
   * A description in our words: "health factor of the Aave v3 position on Ethereum". Never untrusted text.
   */
  readonly label: string;
  /**
   * number: as in the REST response; string: a date (ISO 8601), an id, an enum value, or a text from outside
   * (then unit 'text'). null: known to be missing.
   */
  readonly value: number | string | null;
  readonly unit: FactUnit;
  /** Symbol of the token; only with unit token. */
  readonly symbol?: string;
  /** Why the source states this value, as a sentence of the source. */
  readonly reason?: string;
  /** When it was true (ISO 8601). */
  readonly time: string;
  /** Its source: "GET /v1/positions/pos_x", "block 1:19000000". */
  readonly source: string;
  /** True when the source itself marks the figure as old or unreadable. */
  readonly isStale?: boolean;
}
