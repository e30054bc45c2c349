import { Injectable } from '@nestjs/common';
import { TIER_LIMITS } from '@plimsoll/access';
import type { KeyList, PageQuery, Tier } from '@plimsoll/contracts';
import { Pool } from 'pg';
import { pageAfter, pageOf } from '../database/page';
import { OLDER_KEYS, type ShownKey, keyStatus, toKeyItem } from './stored-key';

const LIST = `
  SELECT k.id, k.account_id AS "accountId", k.hint, k.name, k.scopes, k.created_at AS "createdAt",
    k.expires_at AS "expiresAt", k.last_used_at AS "lastUsedAt", k.revoked_at AS "revokedAt",
    k.replaced_by_id AS "replacedById", k.test_tier AS "testTier", ${OLDER_KEYS} AS "olderKeys"
  FROM api_keys k
  WHERE k.account_id = $1 AND ($2::timestamptz IS NULL OR (k.created_at, k.id) < ($2, $3))
  ORDER BY k.created_at DESC, k.id DESC LIMIT $4`;

/** Lists the keys of an account with their status, by the same ranking as the lookup of a request. */
@Injectable()
export class KeyListing {
  constructor(private readonly pool: Pool) {}

  /**
   * Newest first.
   * @throws Problem invalid_request for a cursor of another list
   */
  async list(accountId: string, tier: Tier, { limit, cursor }: PageQuery): Promise<KeyList> {
    const after = pageAfter(cursor, 'key');
    const { rows } = await this.pool.query<ShownKey & { olderKeys: number }>(LIST, [
      accountId,
      after?.createdAt ?? null,
      after?.id ?? null,
      limit + 1,
    ]);
    const { page, nextCursor } = pageOf(rows, limit);
    const now = new Date();
    const keys = page.map((row) => toKeyItem(row, keyStatus(row, row.olderKeys, tier, now)));
    return { keys, count: keys.length, limit: TIER_LIMITS[tier].keys, nextCursor };
  }
}
