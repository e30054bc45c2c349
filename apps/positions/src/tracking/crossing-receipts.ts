import { Injectable, Logger } from '@nestjs/common';
import type { SqlExecutor } from '@plimsoll/event-bus';
import type { CrossingContent } from '@plimsoll/receipts';
import { Clock } from '@plimsoll/service-kit';
import { crossingReceipts } from '../metrics';
import { type NewReceipt, newReceipt } from '../receipt-signing/new-receipt';
import { ReceiptSigner } from '../receipt-signing/receipt-signer';

/** Crossings belong to no account: those that watch the wallet may read them. */
const STORE = `
WITH new AS (SELECT * FROM unnest($2::text[], $3::text[], $4::bytea[]) AS new (hash, body, leaf)),
stored AS (INSERT INTO receipts (account_id, hash, stored_at, body) SELECT '', hash, $1, body FROM new)
INSERT INTO receipt_log_waiting (leaf) SELECT leaf FROM new`;

/** Signs crossings, and stores them in the transaction of their events. */
@Injectable()
export class CrossingReceipts {
  private readonly logger = new Logger('crossing-receipts');

  constructor(
    private readonly signer: ReceiptSigner,
    private readonly clock: Clock,
  ) {}

  /** The receipts in the order of the contents. Null: this platform makes none now, and events do not wait for them. */
  async sign(contents: readonly CrossingContent[]): Promise<NewReceipt[] | null> {
    if (contents.length === 0) return [];
    const nowMs = this.clock.now();
    try {
      const key = await this.signer.keyIfSet(nowMs);
      return key && contents.map((content) => newReceipt(content, key, nowMs));
    } catch (error) {
      this.logger.warn({ msg: 'crossings have no receipts', count: contents.length, err: error });
      return null;
    }
  }

  async store(tx: SqlExecutor, receipts: readonly NewReceipt[]): Promise<void> {
    if (receipts.length === 0) return;
    await tx.query(STORE, [
      new Date(this.clock.now()),
      receipts.map(({ hash }) => hash),
      receipts.map(({ body }) => body),
      receipts.map(({ leaf }) => leaf),
    ]);
    crossingReceipts.inc(receipts.length);
  }
}
