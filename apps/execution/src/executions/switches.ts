import { Injectable } from '@nestjs/common';
import { ExecutionConfig } from '../config';
import { PrismaClient } from '../generated/prisma/client';
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
    private readonly prisma: PrismaClient,
  ) {
    this.fixed = parseSwitches(config.EXECUTION_OFF);
  }

  /** @throws Refusal switched_off */
  async check(chainId: number, protocol: string): Promise<void> {
    const isFixed = this.fixed.some(
      (each) => matches(each.chain, String(chainId)) && matches(each.protocol, protocol),
    );
    const found = await this.prisma.switch.findFirst({
      where: { chainId: { in: ['*', String(chainId)] }, protocol: { in: ['*', protocol] } },
    });
    if (!isFixed && !found) return;
    const reason = found?.reason ?? 'by the operator';
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
