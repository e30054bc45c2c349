import { Inject, Injectable } from '@nestjs/common';
import { Pool } from 'pg';
import { ExecutionConfig } from '../config';
import { Refusal } from '../planning/refusal';

/**
 * The kill switch: by chain, by protocol, or by both, from the environment and from a table that is read at
 * every use.
 */
@Injectable()
export class Switches {
  private readonly fixed: readonly { chain: string; protocol: string }[];

  constructor(
    config: ExecutionConfig,
    @Inject(Pool) private readonly pool: Pool,
  ) {
    this.fixed = parseSwitches(config.EXECUTION_OFF);
  }

  /** @throws Refusal switched_off */
  async check(chainId: number, protocol: string): Promise<void> {
    const isFixed = this.fixed.some(
      (each) => matches(each.chain, String(chainId)) && matches(each.protocol, protocol),
    );
    const { rows } = await this.pool.query<{ reason: string }>(
      `SELECT reason FROM switches WHERE chain_id IN ('*', $1) AND protocol IN ('*', $2) LIMIT 1`,
      [String(chainId), protocol],
    );
    if (!isFixed && rows.length === 0) return;
    const reason = rows[0]?.reason ?? 'by the operator';
    throw new Refusal(
      'switched_off',
      `Executions on ${protocol}, chain ${chainId}, are switched off: ${reason}.`,
    );
  }
}

/** `8453`, `aave-v3`, `8453/aave-v3` or `*`, separated by commas. */
export function parseSwitches(list: string): { chain: string; protocol: string }[] {
  return list
    .split(',')
    .filter((word) => word !== '')
    .map((word) => {
      const [first = '', second] = word.split('/');
      if (second !== undefined) return { chain: first, protocol: second };
      if (first === '*') return { chain: '*', protocol: '*' };
      return /^\d+$/.test(first) ? { chain: first, protocol: '*' } : { chain: '*', protocol: first };
    });
}

function matches(pattern: string, value: string): boolean {
  return pattern === '*' || pattern === value;
}
