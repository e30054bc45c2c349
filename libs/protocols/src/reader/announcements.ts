import type { ParameterChangeEnd, ParameterValue } from '@plimsoll/contracts';
import { type Address, formatUnits } from 'viem';
import type { RawPosition } from './raw-position';

/** The announced changes for one asset of a market. Times are in seconds since 1970. */
export interface ParameterChange {
  /** Unique in the market. */
  id: string;
  /** Changes of one announcement share it. */
  proposalId: string;
  /** The contract that announces it. */
  source: Address;
  /** In lower case. Null for a category of tokens. */
  token: Address | null;
  /** Symbol of the token, or name of the category. */
  symbol: string;
  values: readonly ParameterValue[];
  /** The earliest time of the change, or the time at which a gradual one is complete. */
  earliestAt: bigint;
  /** Null: it needs no further transaction. */
  expiresAt: bigint | null;
  /** Whether the value already moves with each block. */
  isGradual: boolean;
}

/** The inputs of an evaluation as they are after a whole announcement. */
export interface AfterChange<Market, Account> {
  market: Market;
  account: Account;
}

/** A change with what it does to an account. */
export interface AnnouncedChange<Market, Account> extends ParameterChange {
  /** Null: it is unknown, for example because a new oracle states no price. */
  after: ((account: Account) => AfterChange<Market, Account>) | null;
  /** Whether the change is about the account. Absent: about each account that holds the asset. */
  concerns?(account: Account): boolean;
}

/** An announcement that is over. */
export interface EndedAnnouncement {
  proposalId: string;
  end: ParameterChangeEnd;
}

/** The announcements of a market. */
export interface Announcements<Change> {
  changes: readonly Change[];
  /** Those of the last days. */
  ended: readonly EndedAnnouncement[];
}

export const NO_ANNOUNCEMENTS: Announcements<never> = { changes: [], ended: [] };

/** For so long an announcement that is over is listed, in seconds. */
export const ENDED_FOR = 7n * 86_400n;

/** The effect of a change on a position. Health factors are in wad. */
export interface ChangeEffect {
  subId: string;
  healthFactor: bigint;
  /** Null: it is unknown. */
  healthFactorAfter: bigint | null;
}

const WITHOUT_EFFECT_ON_PRESENT: Readonly<Record<string, RawPosition['legs'][number]['side']>> = {
  max_ltv: 'collateral',
  supply_cap: 'collateral',
  borrow_cap: 'debt',
};

/**
 * The effects of a change on positions with debt: those that hold the asset, and whose health factor or whose limits
 * change.
 * @param after the same positions after the whole announcement; null: unknown
 */
export function effectsOf(
  { token, values }: Pick<ParameterChange, 'token' | 'values'>,
  before: readonly RawPosition[],
  after: readonly RawPosition[] | null,
): ChangeEffect[] {
  return before.flatMap((position): ChangeEffect[] => {
    const { healthFactorRaw: healthFactor, legs, subId, unreadable } = position;
    if (healthFactor === null || unreadable !== undefined) return [];
    const held = legs.filter(({ address }) => token === null || address.toLowerCase() === token);
    if (held.length === 0) return [];
    const healthFactorAfter = after?.find((each) => each.subId === subId)?.healthFactorRaw ?? null;
    const isLimited = values.some(({ parameter }) =>
      held.some(({ side }) => WITHOUT_EFFECT_ON_PRESENT[parameter] === side),
    );
    return healthFactorAfter === healthFactor && !isLimited
      ? []
      : [{ subId, healthFactor, healthFactorAfter }];
  });
}

/** A share of basis points as a decimal: 0.8 for 8,000. */
export const shareOfBps = (bps: bigint): string => formatUnits(bps, 4);

/** The values that differ. */
export const changed = (values: readonly ParameterValue[]): ParameterValue[] =>
  values.filter(({ from, to }) => from !== to);
