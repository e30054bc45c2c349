import { Controller, Delete, Get, Param, Put } from '@nestjs/common';
import {
  type Identity,
  MOST_WATCHED_PROTOCOLS,
  PROTOCOL_ID,
  Problem,
  UnwatchedProtocol,
  WatchedProtocol,
  WatchedProtocolList,
  invalidRequest,
  notFound,
} from '@plimsoll/contracts';
import { Documented } from '@plimsoll/openapi';
import { Clock, CurrentIdentity } from '@plimsoll/service-kit';
import { type WatchedProtocolRow, WatchedProtocolsRepository } from './watched-protocols.repository';

const PROTOCOL = {
  type: 'string',
  description: 'Protocol id, as in GET /v1/protocols.',
  pattern: PROTOCOL_ID.source,
  examples: ['aave-v3'],
};

@Controller('v1/alerts/protocols')
export class WatchedProtocolsController {
  constructor(
    private readonly protocols: WatchedProtocolsRepository,
    private readonly clock: Clock,
  ) {}

  @Get()
  @Documented({
    operationId: 'listWatchedProtocols',
    tag: 'Alerts',
    summary: 'Protocols watched for whale activity',
    description:
      'The protocols that the account watches, newest first. Wallets are watched under /v1/wallets. A move of a watched wallet opens an alert in any protocol.',
    responses: [{ status: 200, description: 'All watched protocols.', schema: WatchedProtocolList }],
  })
  async list(@CurrentIdentity() { accountId }: Identity): Promise<WatchedProtocolList> {
    const rows = await this.protocols.list(accountId);
    return { protocols: rows.map(responseOf), count: rows.length, limit: MOST_WATCHED_PROTOCOLS };
  }

  @Put(':protocol')
  @Documented({
    operationId: 'watchProtocol',
    tag: 'Alerts',
    summary: 'Watch a protocol for whale activity',
    description:
      'From now on every whale move in it is reported by an alert of type whale_move (severity medium), one for the protocol and chain at a time. Watching it again has no effect.',
    path: { protocol: PROTOCOL },
    responses: [{ status: 200, description: 'It is watched.', schema: WatchedProtocol }],
    errors: ['quota_reached', 'route_not_found'],
  })
  async watch(
    @CurrentIdentity() { accountId }: Identity,
    @Param('protocol') protocol: string,
  ): Promise<WatchedProtocol> {
    if (!PROTOCOL_ID.test(protocol)) {
      const message = 'Use the id of a protocol, as in GET /v1/protocols.';
      throw invalidRequest([{ field: 'protocol', code: 'invalid_protocol', message }]);
    }
    const row = await this.protocols.watch(accountId, protocol, this.clock.now(), MOST_WATCHED_PROTOCOLS);
    if (row) return responseOf(row);
    const message = `An account watches at most ${MOST_WATCHED_PROTOCOLS} protocols. Stop watching one first.`;
    throw new Problem('quota_reached', message);
  }

  @Delete(':protocol')
  @Documented({
    operationId: 'unwatchProtocol',
    tag: 'Alerts',
    summary: 'Stop watching a protocol',
    description: 'No further alert opens about it. An active alert expires normally.',
    path: { protocol: PROTOCOL },
    responses: [{ status: 200, description: 'It is no longer watched.', schema: UnwatchedProtocol }],
    errors: ['not_found'],
  })
  async unwatch(
    @CurrentIdentity() { accountId }: Identity,
    @Param('protocol') protocol: string,
  ): Promise<UnwatchedProtocol> {
    if (!(await this.protocols.unwatch(accountId, protocol))) throw notFound('watched protocol');
    return { success: true, deleted: protocol };
  }
}

function responseOf({ protocol, createdAtMs }: WatchedProtocolRow): WatchedProtocol {
  return { protocol, createdAt: new Date(createdAtMs).toISOString() };
}
