import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { Problem } from '@plimsoll/contracts';
import type { CanonicalText, Json } from '@plimsoll/receipts';
import { Pool } from 'pg';
import { ReceiptKeyStore, type SigningKey } from './receipt-keys';
import { ReceiptSecrets } from './receipt-secrets';
import { type NewReceipt, newReceipt } from './new-receipt';

/** Other processes may have rotated the keys. A former key stays valid for much longer. */
const KEY_CACHED_MS = 5_000;

/** Signs receipts with the key of the time. */
@Injectable()
export class ReceiptSigner implements OnModuleInit {
  private readonly keys: ReceiptKeyStore | null;
  private current: { key: SigningKey; readAtMs: number } | undefined;

  constructor(@Inject(Pool) pool: Pool, { box }: ReceiptSecrets) {
    this.keys = box && new ReceiptKeyStore(pool, box);
  }

  /** A service that cannot open its key does not start, because every receipt would fail. */
  async onModuleInit(): Promise<void> {
    await this.keys?.createFirst(Date.now());
    await this.keys?.signingAt(Date.now());
  }

  /** @throws upstream_unavailable when this platform makes no receipts */
  requireKeys(): void {
    if (!this.keys)
      throw new Problem(
        'upstream_unavailable',
        'This platform makes no receipts, because its operator has not set RECEIPT_SECRET_KEYS. Request the position without receipt.',
      );
  }

  /**
   * @param content or its canonical text
   * @param unsigned parts beside the content
   */
  async sign(
    content: object | CanonicalText,
    nowMs: number,
    unsigned?: Readonly<Record<string, Json>>,
  ): Promise<NewReceipt> {
    return newReceipt(content, await this.keyAt(nowMs), nowMs, unsigned);
  }

  /** Null: this platform makes no receipts. @throws upstream_unavailable while no key is in use */
  async keyIfSet(nowMs: number): Promise<SigningKey | null> {
    return this.keys && this.keyAt(nowMs);
  }

  private async keyAt(nowMs: number): Promise<SigningKey> {
    if (this.current && Math.abs(nowMs - this.current.readAtMs) < KEY_CACHED_MS) return this.current.key;
    const key = (await this.keys?.signingAt(nowMs)) ?? null;
    if (!key)
      throw new Problem(
        'upstream_unavailable',
        'No key is in use that signs receipts. Request the position without receipt, or later again.',
        { headers: { 'retry-after': '5' } },
      );
    this.current = { key, readAtMs: nowMs };
    return key;
  }
}
