import type { PositionV1 } from '@plimsoll/contracts';
import type { MarketRow } from '@plimsoll/evm';
import type { Address } from 'viem';
import type { PositionStore } from '../tracking/position-store';

/** The stored states of some wallets, for one request: each chain's are loaded once, when they are needed. */
export class StoredStates {
  private readonly byChain = new Map<number, Promise<PositionV1[]>>();

  constructor(
    private readonly store: PositionStore,
    private readonly wallets: readonly Address[],
  ) {}

  /** Closed positions included. */
  async in({ chainId, protocol, market }: MarketRow): Promise<PositionV1[]> {
    const loading = this.byChain.get(chainId) ?? this.load(chainId);
    this.byChain.set(chainId, loading);
    const events = await loading;
    return events.filter((event) => event.protocol === protocol && event.market === market);
  }

  private async load(chainId: number): Promise<PositionV1[]> {
    const states = await this.store.load(chainId, this.wallets);
    return states.map(({ event }) => event);
  }
}
