import { Controller, Get, Query } from '@nestjs/common';
import { ListWhaleActivityQuery, WhaleActivityList } from '@plimsoll/contracts';
import { Documented } from '@plimsoll/openapi';
import { decodeCursor, pageOf } from '@plimsoll/service-kit';
import { WhalesConfig } from '../config';
import { type ActivityCursor, ActivityRepository, activityItem } from './activity.repository';

@Controller('v1/whales/activity')
export class ActivityController {
  constructor(
    private readonly activity: ActivityRepository,
    private readonly config: WhalesConfig,
  ) {}

  @Get()
  @Documented({
    operationId: 'listWhaleActivity',
    tag: 'Whales',
    summary: 'Whale activity',
    description:
      'Moves of at least the whale threshold of the service, from the protocols’ own logs, newest first. USD is at the price of the market’s oracle at the block of the move. A move whose block was replaced by a reorg is removed. Each move states its size relative to the pool, and the health factor and the rates before and after it. A figure that could not be read is null, with the reason beside it. Deployers, routers, exchanges, bridges and contracts of protocols are not whales and do not appear.',
    responses: [{ status: 200, description: 'A page of moves.', schema: WhaleActivityList }],
  })
  async list(@Query() query: ListWhaleActivityQuery): Promise<WhaleActivityList> {
    const { wallet, protocol, chain, action, since, limit } = query;
    const filter = {
      wallet: wallet?.toLowerCase() ?? null,
      protocol: protocol ?? null,
      chainId: chain ?? null,
      action: action ?? null,
      minUsd: query.minUsd ?? this.config.WHALE_THRESHOLD_USD,
      sinceMs: since === undefined ? null : Date.parse(since),
    };
    const found = await this.activity.list(filter, cursorOf(query.cursor), limit + 1);
    const { items, nextCursor } = pageOf(found, limit, (last) => [
      last.atMs,
      last.block,
      last.logIndex,
      last.id,
    ]);
    return { activity: items.map(activityItem), count: items.length, nextCursor };
  }
}

function cursorOf(cursor: string | undefined): ActivityCursor | null {
  const parts = decodeCursor(cursor, ['time', 'integer', 'integer', 'string']);
  if (!parts) return null;
  const [atMs, block, logIndex, id] = parts;
  return { atMs: Number(atMs), block: Number(block), logIndex: Number(logIndex), id: String(id) };
}
