import { Injectable } from '@nestjs/common';
import type { AccountActivity } from '@plimsoll/contracts';
import { Pool } from 'pg';

const DAY_MS = 86_400_000;
/** An older request is news to no page. */
const NEWEST_DAYS = 2;

/** Four looks at the end of an index, because every open page sends this request every few seconds. */
const MARKS = `
SELECT
  (SELECT concat_ws(' ', created_at, request_id) FROM request_log
   WHERE account_id = $1 AND created_at > $2 ORDER BY created_at DESC, seq DESC LIMIT 1) AS requests,
  (SELECT concat_ws(' ', minute, calls) FROM usage_minutes
   WHERE account_id = $1 AND minute > $2 ORDER BY minute DESC LIMIT 1) AS usage,
  (SELECT max(last_used_at)::text FROM api_keys WHERE account_id = $1) AS "keyUses",
  (SELECT id FROM audit_entries WHERE account_id = $1 ORDER BY created_at DESC, id DESC LIMIT 1) AS changes`;

/** Marks of what an account has. Two that differ mean that a list has something new. */
@Injectable()
export class Activity {
  constructor(private readonly pool: Pool) {}

  async of(accountId: string, now = new Date()): Promise<AccountActivity> {
    const since = new Date(now.getTime() - NEWEST_DAYS * DAY_MS);
    const { rows } = await this.pool.query<AccountActivity>({
      name: 'account-activity',
      text: MARKS,
      values: [accountId, since],
    });
    return rows[0]!;
  }
}
