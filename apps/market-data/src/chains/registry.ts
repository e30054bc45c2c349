import { Injectable, type OnModuleInit } from '@nestjs/common';
import { type ProtocolRegistry, loadRegistry } from '@plimsoll/evm';
import { MarketDataConfig } from '../config';

/** The protocols and chains of this platform. */
@Injectable()
export class Registry implements OnModuleInit {
  chains: ProtocolRegistry['chains'] = [];
  protocols: ProtocolRegistry['protocols'] = [];

  constructor(private readonly config: MarketDataConfig) {}

  async onModuleInit(): Promise<void> {
    const { chains, protocols } = await loadRegistry(this.config.REGISTRY_OVERLAY || undefined);
    this.chains = chains;
    this.protocols = protocols;
  }
}
