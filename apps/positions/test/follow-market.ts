import type { BlockRef } from '@plimsoll/evm';
import type { ProtocolReader } from '@plimsoll/protocols';
import type { Address } from 'viem';
import type { CorrelatedRisk } from '../src/bands/correlated-risk';
import { MarketTracker } from '../src/tracking/market-tracker';
import type { ReportMismatches } from '../src/verification/verdict-watch';
import type { PositionChange } from '../src/tracking/position-event';

type Risk = Pick<CorrelatedRisk, 'probability7d' | 'concerns'>;

/** No position is correlated. */
export const NO_RISK: Risk = { probability7d: () => null, concerns: () => false };

/** A tracker whose events count as committed, with the number of its evaluations. */
export class FollowedMarket {
  readonly tracker: MarketTracker;
  evaluated = 0;

  constructor(
    reader: ProtocolReader<unknown, unknown>,
    risk: Risk = NO_RISK,
    report: ReportMismatches = () => undefined,
  ) {
    const counted: ProtocolReader<unknown, unknown> = {
      ...reader,
      evaluate: (market, account) => {
        this.evaluated += 1;
        return reader.evaluate(market, account);
      },
    };
    this.tracker = new MarketTracker(counted, risk, report);
  }

  /** @param isCommitted false: the database is down, and the pending changes are not stored */
  async advance(block: BlockRef, tracked: readonly Address[], isCommitted = true): Promise<PositionChange[]> {
    const published: PositionChange[] = [];
    for await (const changes of this.tracker.advance(block, tracked)) {
      if (!isCommitted) return [];
      for (const change of changes) this.tracker.setPublished(change.key.wallet as Address, change.after);
      published.push(...changes);
    }
    return published.sort((a, b) => (a.key.wallet < b.key.wallet ? -1 : 1));
  }
}
