import { Injectable, type OnModuleInit } from '@nestjs/common';
import { loadRegistry } from '@plimsoll/evm';

/** The contract family of each protocol in the registry. */
@Injectable()
export class ProtocolFamilies implements OnModuleInit {
  private byProtocol: ReadonlyMap<string, string> = new Map();

  async onModuleInit(): Promise<void> {
    const { protocols } = await loadRegistry();
    this.byProtocol = new Map(protocols.map(({ id, family }) => [id, family]));
  }

  /** The protocol's own name if it is not in the registry. */
  of(protocol: string): string {
    return this.byProtocol.get(protocol) ?? protocol;
  }
}
