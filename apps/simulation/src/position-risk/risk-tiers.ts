import { Injectable, type OnModuleInit } from '@nestjs/common';
import { loadRegistry } from '@plimsoll/evm';
import type { RiskTier } from '@plimsoll/risk-math';

/** How each protocol of the registry is classed. */
@Injectable()
export class RiskTiers implements OnModuleInit {
  private byProtocol: ReadonlyMap<string, RiskTier> = new Map();

  async onModuleInit(): Promise<void> {
    const { protocols } = await loadRegistry();
    this.byProtocol = new Map(protocols.map(({ id, riskTier }) => [id, riskTier]));
  }

  /** medium for a protocol that the registry does not know */
  of(protocol: string): RiskTier {
    return this.byProtocol.get(protocol) ?? 'medium';
  }
}
