import { Inject, Injectable } from '@nestjs/common';
import { appendToOutbox, outgoing, type SqlExecutor } from '@plimsoll/event-bus';
import type { LogAnchor, LogRoot } from '@plimsoll/receipts';
import { Pool } from 'pg';
import { ReceiptSigner } from '../receipt-signing/receipt-signer';
import { signRoot } from '../receipt-signing/sign-receipt';
import { ReceiptLog } from './receipt-log';

const HOUR_MS = 3_600_000;

interface RootRow {
  hour: Date;
  size: string;
  rootHash: string;
  keyId: string;
  signedAt: Date;
  signature: string;
  anchor: LogAnchor | null;
}

const ROOTS = `
SELECT receipt_roots.hour, size, encode(root_hash, 'hex') AS "rootHash", key_id AS "keyId", signed_at AS "signedAt", signature, anchor
FROM receipt_roots
LEFT JOIN LATERAL (
  SELECT json_build_object('chainId', chain_id, 'transactionHash', hash, 'account', account) AS anchor
  FROM receipt_anchors WHERE receipt_anchors.hour = receipt_roots.hour AND is_mined ORDER BY hash LIMIT 1
) AS written ON true`;

/** The signed roots of the log. */
@Injectable()
export class ReceiptRoots {
  constructor(
    @Inject(Pool) private readonly pool: Pool,
    private readonly log: ReceiptLog,
    private readonly signer: ReceiptSigner,
  ) {}

  /**
   * Publishes the root of the log unless one was published in this hour. An empty log has none.
   * @throws upstream_unavailable while no key is in use
   */
  async publish(nowMs: number): Promise<LogRoot | null> {
    const key = await this.signer.keyIfSet(nowMs);
    if (!key) return null;
    const hour = new Date(nowMs - (nowMs % HOUR_MS));
    return this.log.exclusively(async (tx) => {
      const { rowCount } = await tx.query('SELECT FROM receipt_roots WHERE hour >= $1 LIMIT 1', [hour]);
      const size = await this.log.size(tx);
      if (rowCount !== 0 || size === 0) return null;
      const [root] = await this.log.roots([{ from: 0, to: size }], tx);
      const signed = signRoot(size, Buffer.from(root!).toString('hex'), key, nowMs);
      await insertRoot(tx, hour, signed);
      await appendToOutbox(tx, [outgoing('receipt-root.v1', signed)]);
      return signed;
    });
  }

  /** Newest first. */
  async list(limit: number, before: Date | null): Promise<LogRoot[]> {
    const { rows } = await this.pool.query<RootRow>(
      // A root is signed in its hour or later, and the index has the hours.
      `${ROOTS} ${before ? 'WHERE hour < $2 AND signed_at < $2' : ''} ORDER BY hour DESC LIMIT $1`,
      before ? [limit, before] : [limit],
    );
    return rows.map(rootOf);
  }

  /**
   * The first root that has this place of the log. Null: none has it yet.
   * @param isAnchored only roots that are on a chain
   */
  async firstWith(index: number, isAnchored = false): Promise<LogRoot | null> {
    const { rows } = await this.pool.query<RootRow>(
      `${ROOTS} WHERE size > $1 AND ($2 OR anchor IS NOT NULL) ORDER BY size, hour LIMIT 1`,
      [index, !isAnchored],
    );
    return rows[0] ? rootOf(rows[0]) : null;
  }

  /** The newest root with its hour. Null: none is published. */
  async newest(): Promise<{ hour: Date; root: LogRoot } | null> {
    const { rows } = await this.pool.query<RootRow>(`${ROOTS} ORDER BY hour DESC LIMIT 1`);
    return rows[0] ? { hour: rows[0].hour, root: rootOf(rows[0]) } : null;
  }

  /** The first root of this size, or the newest root. Null: none is published. */
  async find(size: number | undefined): Promise<LogRoot | null> {
    const { rows } = await this.pool.query<RootRow>(
      size === undefined
        ? `${ROOTS} ORDER BY hour DESC LIMIT 1`
        : `${ROOTS} WHERE size = $1 ORDER BY hour LIMIT 1`,
      size === undefined ? [] : [size],
    );
    return rows[0] ? rootOf(rows[0]) : null;
  }
}

async function insertRoot(
  tx: SqlExecutor,
  hour: Date,
  { size, rootHash, signature }: LogRoot,
): Promise<void> {
  await tx.query(
    `INSERT INTO receipt_roots (hour, size, root_hash, key_id, signed_at, signature)
     VALUES ($1, $2, decode($3, 'hex'), $4, $5, $6)`,
    [hour, size, rootHash, signature.keyId, new Date(signature.signedAt), signature.value],
  );
}

function rootOf({ size, rootHash, keyId, signedAt, signature, anchor }: RootRow): LogRoot {
  return {
    size: Number(size),
    rootHash,
    signature: { keyId, signedAt: signedAt.getTime(), value: signature },
    ...(anchor && { anchor }),
  };
}
