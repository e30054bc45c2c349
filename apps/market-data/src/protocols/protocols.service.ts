import { Injectable } from '@nestjs/common';
import { type ProtocolAnswer, type ProtocolItem, type ProtocolList, notFound } from '@plimsoll/contracts';
import { decodeCursor, Clock, pageOf } from '@plimsoll/service-kit';
import { ChainStates } from '../chains/chain-states';
import { Registry } from '../chains/registry';
import { ProtocolTvls } from './protocol-tvls';
import { protocolDetail, protocolItem } from './protocol-view';

@Injectable()
export class ProtocolsService {
  constructor(
    private readonly registry: Registry,
    private readonly states: ChainStates,
    private readonly tvls: ProtocolTvls,
    private readonly clock: Clock,
  ) {}

  /** Highest TVL first. */
  async list(limit: number, cursor: string | undefined): Promise<ProtocolList> {
    const after = decodeCursor(cursor, ['number', 'string']);
    const [states, tvls] = await Promise.all([this.states.all(), this.tvls.all()]);
    const found = this.registry.protocols
      .map((row) => protocolItem(row, states, tvls.get(row.id), this.clock.now()))
      .sort(byTvl)
      .filter((item) => after === null || byTvl(item, { tvl: Number(after[0]), id: String(after[1]) }) > 0);
    const { items, nextCursor } = pageOf(found, limit, (last) => [last.tvl, last.id]);
    return { protocols: items, count: items.length, nextCursor };
  }

  /** @throws not_found */
  async find(id: string): Promise<ProtocolAnswer> {
    const row = this.registry.protocols.find((protocol) => protocol.id === id);
    if (!row) throw notFound('protocol');
    const [states, tvls] = await Promise.all([this.states.all(), this.tvls.all()]);
    return { protocol: protocolDetail(row, states, tvls.get(id), this.clock.now()) };
  }
}

function byTvl(a: Pick<ProtocolItem, 'tvl' | 'id'>, b: Pick<ProtocolItem, 'tvl' | 'id'>): number {
  return b.tvl - a.tvl || (a.id < b.id ? -1 : Number(a.id > b.id));
}
