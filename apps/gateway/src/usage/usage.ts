import { Injectable } from '@nestjs/common';
import { type Tier, type UsageReport, notFound } from '@plimsoll/contracts';
import { Pool } from 'pg';
import { accountLimits } from '../identity/accounts/account';
import { REPORTED_DAYS, type StoredUsage, usageReport } from './usage-report';

const FIND = `
SELECT a.tier, a.requests_per_minute AS "requestsPerMinute", u.day::text AS date, u.endpoint, u.calls::float8 AS calls
FROM accounts a
LEFT JOIN usage_days u ON u.account_id = a.id AND u.day > $2::date - $3::int AND u.day <= $2::date
WHERE a.id = $1`;

type Row = { tier: Tier; requestsPerMinute: number | null } & (StoredUsage | { date: null });

/** The usage of an account's keys, beside its limits. */
@Injectable()
export class Usage {
  constructor(private readonly pool: Pool) {}

  async report(accountId: string, now = new Date()): Promise<UsageReport> {
    const { rows } = await this.pool.query<Row>(FIND, [
      accountId,
      now.toISOString().slice(0, 10),
      REPORTED_DAYS,
    ]);
    const [account] = rows;
    if (!account) throw notFound('account');
    const { requestsPerMinute, requestsPerDay } = accountLimits(account.tier, account.requestsPerMinute);
    const stored = rows.filter((row): row is Row & StoredUsage => row.date !== null);
    return usageReport({ requestsPerMinute, requestsPerDay }, stored, now);
  }
}
