import { generateKeyPairSync, createPrivateKey, type KeyObject } from 'node:crypto';
import { newId } from '@plimsoll/contracts';
import { type SecretBox, inTransaction } from '@plimsoll/service-kit';
import type { Pool, PoolClient } from 'pg';

const LOCK = "SELECT pg_advisory_xact_lock(hashtextextended('plimsoll:positions:receipt-keys', 0))";

/** A public key of receipts, as /.well-known/plimsoll-keys.json has it. */
export interface PublishedKey {
  id: string;
  /** 32 bytes, base64url. */
  publicKey: string;
  /** Unix milliseconds of the first use. */
  fromMs: number;
  /** Unix milliseconds of the end. Null: none. */
  untilMs: number | null;
}

export interface SigningKey {
  id: string;
  signing: KeyObject;
}

/** Times of a rotation. */
export interface KeyRotation {
  nowMs: number;
  /** When the new key is used. */
  fromMs: number;
  /** How long the former key stays valid after that. */
  overlapMs: number;
}

interface KeyRow {
  id: string;
  sealed: Buffer;
  sealedWith: string;
}

/** The keys that sign receipts, in the database. */
export class ReceiptKeyStore {
  constructor(
    private readonly pool: Pool,
    private readonly box: SecretBox,
  ) {}

  /** Creates the first key. Several processes create one. */
  createFirst(nowMs: number): Promise<void> {
    return inTransaction(this.pool, async (tx) => {
      await tx.query(LOCK);
      const { rowCount } = await tx.query('SELECT FROM receipt_keys LIMIT 1');
      if (rowCount === 0) await this.insert(tx, nowMs);
    });
  }

  /**
   * Adds a key, ends those before it after the overlap, and deletes the private halves of keys that have ended.
   * @returns the id of the new key
   */
  rotate({ nowMs, fromMs, overlapMs }: KeyRotation): Promise<string> {
    return inTransaction(this.pool, async (tx) => {
      await tx.query(LOCK);
      await tx.query('UPDATE receipt_keys SET until_at = least(until_at, $1)', [
        new Date(fromMs + overlapMs),
      ]);
      await tx.query('UPDATE receipt_keys SET sealed = NULL WHERE until_at < $1', [new Date(nowMs)]);
      return this.insert(tx, fromMs);
    });
  }

  /** The newest key that is in use at this time. Null: none is. */
  async signingAt(nowMs: number): Promise<SigningKey | null> {
    const { rows } = await this.pool.query<KeyRow>(
      `SELECT id, sealed, sealed_with AS "sealedWith" FROM receipt_keys
       WHERE from_at <= $1 AND (until_at IS NULL OR until_at > $1) AND sealed IS NOT NULL
       ORDER BY from_at DESC, id DESC LIMIT 1`,
      [new Date(nowMs)],
    );
    if (!rows[0]) return null;
    const { id, sealed, sealedWith } = rows[0];
    const key = Buffer.from(this.box.open({ keyId: sealedWith, sealed }, id), 'base64');
    return { id, signing: createPrivateKey({ key, format: 'der', type: 'pkcs8' }) };
  }

  /** Ids of the secret keys that private keys which may still sign are sealed with. */
  async secretKeyIds(nowMs: number): Promise<string[]> {
    const { rows } = await this.pool.query<{ id: string }>(
      `SELECT DISTINCT sealed_with AS id FROM receipt_keys
       WHERE sealed IS NOT NULL AND (until_at IS NULL OR until_at > $1)`,
      [new Date(nowMs)],
    );
    return rows.map(({ id }) => id);
  }

  private async insert(tx: PoolClient, fromMs: number): Promise<string> {
    const id = newId('rck');
    const { privateKey, publicKey } = generateKeyPairSync('ed25519');
    const der = privateKey.export({ format: 'der', type: 'pkcs8' }).toString('base64');
    const { keyId, sealed } = this.box.seal(der, id);
    await tx.query(
      'INSERT INTO receipt_keys (id, public_key, sealed, sealed_with, from_at) VALUES ($1, $2, $3, $4, $5)',
      [id, publicKey.export({ format: 'jwk' }).x, sealed, keyId, new Date(fromMs)],
    );
    return id;
  }
}

/** Every key that was ever used, oldest first. */
export async function publishedKeys(pool: Pool): Promise<PublishedKey[]> {
  const { rows } = await pool.query<{ id: string; publicKey: string; fromAt: Date; untilAt: Date | null }>(
    `SELECT id, public_key AS "publicKey", from_at AS "fromAt", until_at AS "untilAt"
     FROM receipt_keys ORDER BY from_at, id`,
  );
  return rows.map(({ id, publicKey, fromAt, untilAt }) => ({
    id,
    publicKey,
    fromMs: fromAt.getTime(),
    untilMs: untilAt?.getTime() ?? null,
  }));
}
