import { Injectable } from '@nestjs/common';
import { Problem } from '@plimsoll/contracts';
import { Pool } from 'pg';
import { PrismaClient } from '../../generated/prisma/client';

/** Failures without a delay. Each further one doubles it. */
const FREE_FAILURES = 4;
const LONGEST_DELAY_SECONDS = 900;
const KEPT_HOURS = 24;

/** One statement, because failures of many requests at the same time all count. */
const ADD_FAILURE = `
INSERT INTO log_in_failures AS f (subject_hash, failures, retry_at, expires_at)
VALUES ($1, 1, now(), now() + interval '${KEPT_HOURS} hours')
ON CONFLICT (subject_hash) DO UPDATE SET
  failures = CASE WHEN f.expires_at < now() THEN 1 ELSE f.failures + 1 END,
  retry_at = CASE WHEN f.expires_at < now() THEN now() ELSE now() + make_interval(secs =>
    LEAST(${LONGEST_DELAY_SECONDS}, CASE WHEN f.failures < ${FREE_FAILURES} THEN 0
      ELSE power(2, LEAST(f.failures - ${FREE_FAILURES} + 1, 10)) END)) END,
  expires_at = now() + interval '${KEPT_HOURS} hours'`;

/** Delays after failed log-ins of one client at one account. Other clients are not delayed. */
@Injectable()
export class LogInDelays {
  constructor(
    private readonly prisma: PrismaClient,
    private readonly pool: Pool,
  ) {}

  /** @throws Problem rate_limited while a delay lasts */
  async check(subjectHash: string): Promise<void> {
    const found = await this.prisma.logInFailure.findUnique({ where: { subjectHash } });
    const seconds = found ? Math.ceil((found.retryAt.getTime() - Date.now()) / 1_000) : 0;
    if (seconds <= 0) return;
    throw new Problem('rate_limited', `Too many failed log-ins from here. Try again in ${seconds} s.`, {
      headers: { 'Retry-After': String(seconds) },
    });
  }

  async failed(subjectHash: string): Promise<void> {
    await this.pool.query({ name: 'add-log-in-failure', text: ADD_FAILURE, values: [subjectHash] });
  }

  async succeeded(subjectHash: string): Promise<void> {
    await this.prisma.logInFailure.deleteMany({ where: { subjectHash } });
  }
}
