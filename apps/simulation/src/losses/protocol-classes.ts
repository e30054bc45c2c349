import { Injectable, type OnModuleInit } from '@nestjs/common';
import { type ProtocolRegistry, loadRegistry } from '@plimsoll/evm';
import type { RiskTier } from '@plimsoll/risk-math';

/** How the registry classes each protocol. */
@Injectable()
export class ProtocolClasses implements OnModuleInit {
  private byProtocol: ReadonlyMap<string, ProtocolRegistry['protocols'][number]> = new Map();

  async onModuleInit(): Promise<void> {
    const { protocols } = await loadRegistry();
    this.byProtocol = new Map(protocols.map((protocol) => [protocol.id, protocol]));
  }

  /** The contract family. The protocol's own name if it is not in the registry. */
  familyOf(protocol: string): string {
    return this.byProtocol.get(protocol)?.family ?? protocol;
  }

  /** medium for a protocol that is not in the registry */
  riskTierOf(protocol: string): RiskTier {
    return this.byProtocol.get(protocol)?.riskTier ?? 'medium';
  }
}
