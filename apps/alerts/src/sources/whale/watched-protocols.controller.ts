import { Controller, Delete, Get, Param, Put } from '@nestjs/common';
import {
  type Identity,
  MOST_WATCHED_PROTOCOLS,
  PROTOCOL_ID,
  Problem,
  type UnwatchedProtocol,
  type WatchedProtocol,
  type WatchedProtocolList,
  invalidRequest,
  notFound,
} from '@plimsoll/contracts';
import { Clock, CurrentIdentity } from '@plimsoll/service-kit';
import { WatchedProtocolsRepository } from './watched-protocols.repository';

@Controller('v1/alerts/protocols')
export class WatchedProtocolsController {
  constructor(
    private readonly protocols: WatchedProtocolsRepository,
    private readonly clock: Clock,
  ) {}

  @Get()
  async list(@CurrentIdentity() { accountId }: Identity): Promise<WatchedProtocolList> {
    const rows = await this.protocols.list(accountId);
    return { protocols: rows.map(responseOf), count: rows.length, limit: MOST_WATCHED_PROTOCOLS };
  }

  @Put(':protocol')
  async watch(
    @CurrentIdentity() { accountId }: Identity,
    @Param('protocol') protocol: string,
  ): Promise<WatchedProtocol> {
    if (!PROTOCOL_ID.test(protocol)) {
      const message = 'Take the id of a protocol, as in GET /v1/protocols.';
      throw invalidRequest([{ field: 'protocol', code: 'invalid_protocol', message }]);
    }
    const row = await this.protocols.watch(accountId, protocol, this.clock.now(), MOST_WATCHED_PROTOCOLS);
    if (row) return responseOf(row);
    const message = `An account watches at most ${MOST_WATCHED_PROTOCOLS} protocols. Stop watching one first.`;
    throw new Problem('quota_reached', message);
  }

  @Delete(':protocol')
  async unwatch(
    @CurrentIdentity() { accountId }: Identity,
    @Param('protocol') protocol: string,
  ): Promise<UnwatchedProtocol> {
    if (!(await this.protocols.unwatch(accountId, protocol))) throw notFound('watched protocol');
    return { success: true, deleted: protocol };
  }
}

function responseOf({ protocol, createdAt }: { protocol: string; createdAt: Date }): WatchedProtocol {
  return { protocol, createdAt: createdAt.toISOString() };
}
