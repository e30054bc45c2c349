import type { LabelText } from '@plimsoll/evm';
import type { Activity } from '@plimsoll/protocols';
import type { Address } from 'viem';
import type { ActivityRow } from '../activity-row';
import type { EffectReader } from './effect-reader';

/** Decides which moves belong to whales, and adds the effects of large ones. */
export class ContextReader {
  /** @param labels addresses in lower case that are not wallets of users */
  constructor(
    private readonly effects: EffectReader,
    private readonly labels: () => ReadonlyMap<Address, LabelText>,
    private readonly thresholdUsd: number,
  ) {}

  /**
   * Returns the moves without those of services, deployers and contracts of protocols. A liquidation of a
   * protocol's own contract stays, because it represents a position that the protocol does not name.
   */
  reported(activities: readonly Activity[]): Activity[] {
    const labels = this.labels();
    return activities.filter(({ wallet, action }) => {
      const label = labels.get(wallet);
      return !label || (label.kind === 'protocol' && action === 'liquidation');
    });
  }

  /** Addresses that are not wallets of users. */
  get labelled(): readonly Address[] {
    return [...this.labels().keys()];
  }

  /** Adds the effect and the label of the counterparty to each large move. */
  async add(rows: readonly ActivityRow[]): Promise<void> {
    const large = rows.filter(({ usd }) => usd !== null && usd >= this.thresholdUsd);
    if (large.length === 0) return;
    const labels = this.labels();
    const effects = await this.effects.read(large);
    for (const row of large) {
      const effect = effects.get(row.id);
      const counterpartyLabel = labels.get((row.counterparty ?? row.wallet) as Address) ?? null;
      if (effect) row.context = { counterpartyLabel: row.counterparty ? counterpartyLabel : null, ...effect };
    }
  }
}
