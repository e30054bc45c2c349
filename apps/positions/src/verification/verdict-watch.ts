import { Injectable, Logger } from '@nestjs/common';
import type { BlockRef, MarketRow } from '@plimsoll/evm';
import type { Mismatch } from '@plimsoll/protocols';
import { Clock } from '@plimsoll/service-kit';
import { verdictMismatches } from '../metrics';
import { needsOperator } from './mismatch';
import { MismatchStore, keyOf, type MismatchedPosition } from './mismatch-store';

/** The positions that wait to be stored. One mismatch of each figure is enough to alert. */
const MOST_WAITING = 200;

/** Receives the differences that a read found between our figures and the contract's. */
export type ReportMismatches = (row: MarketRow, block: BlockRef, mismatches: readonly Mismatch[]) => void;

/**
 * Makes mismatches visible: each is an error of ours, or of the registry. It counts them, writes one line for a row and
 * block to the log, and opens an alert for operators where one is more than rounding.
 */
@Injectable()
export class VerdictWatch {
  private readonly logger = new Logger('verdict-watch');
  /** The block of the last line in the log, by row: any request may read a position that differs. */
  private readonly logged = new Map<string, string>();
  /** By position and figure. */
  private readonly waiting = new Map<string, MismatchedPosition>();
  private storing: Promise<void> | undefined;

  constructor(
    private readonly store: MismatchStore,
    private readonly clock: Clock,
  ) {}

  readonly report: ReportMismatches = (row, block, mismatches) => {
    const [first, ...others] = mismatches;
    if (first === undefined) return;
    const { family, protocol, chainId, market } = row;
    for (const mismatch of mismatches) {
      const isLarge = needsOperator(mismatch);
      verdictMismatches.inc({
        family,
        figure: mismatch.figure,
        severity: isLarge ? 'operator' : 'rounding',
      });
      if (isLarge) this.wait({ ...mismatch, family, protocol, chainId, market, block: block.number });
    }
    void this.flush();
    const name = `${chainId} ${protocol} ${market}`;
    if (this.logged.get(name) === block.hash) return;
    this.logged.set(name, block.hash);
    this.logger.error({
      msg: 'a figure differs from the contract, which wins: compare them with npm run doctor -- --verify',
      family,
      protocol,
      chainId,
      market,
      wallet: first.wallet,
      figure: first.figure,
      block: Number(block.number),
      computed: String(first.computed),
      contract: String(first.contract),
      others: others.length,
    });
  };

  /**
   * Stores the mismatches that wait. Those that cannot be stored wait for the next call. Never rejects.
   */
  async flush(): Promise<void> {
    this.storing ??= this.storeWaiting().finally(() => (this.storing = undefined));
    await this.storing;
  }

  private wait(position: MismatchedPosition): void {
    const key = keyOf(position);
    if (this.waiting.size < MOST_WAITING || this.waiting.has(key)) this.waiting.set(key, position);
  }

  private async storeWaiting(): Promise<void> {
    while (this.waiting.size > 0) {
      const batch = [...this.waiting];
      try {
        await this.store.add(
          batch.map(([, position]) => position),
          this.clock.now(),
        );
      } catch (error) {
        this.logger.warn({ msg: 'mismatches could not be stored; the next round tries again', err: error });
        return;
      }
      for (const [key, position] of batch) if (this.waiting.get(key) === position) this.waiting.delete(key);
    }
  }
}
