import { Controller, Get, Query } from '@nestjs/common';
import { ListWhaleActivityQuery, type WhaleActivityList } from '@plimsoll/contracts';
import { decodeCursor, encodeCursor } from '@plimsoll/service-kit';
import { WhalesConfig } from '../config';
import { type ActivityCursor, ActivityRepository, activityItem } from './activity.repository';

@Controller('v1/whales/activity')
export class ActivityController {
  constructor(
    private readonly activity: ActivityRepository,
    private readonly config: WhalesConfig,
  ) {}

  @Get()
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
    const page = found.slice(0, limit);
    const last = page.at(-1);
    const nextCursor =
      last && found.length > limit ? encodeCursor([last.atMs, last.block, last.logIndex, last.id]) : null;
    return { activity: page.map(activityItem), count: page.length, nextCursor };
  }
}

function cursorOf(cursor: string | undefined): ActivityCursor | null {
  const parts = decodeCursor(cursor, ['time', 'number', 'number', 'string']);
  if (!parts) return null;
  const [atMs, block, logIndex, id] = parts;
  return { atMs: Number(atMs), block: Number(block), logIndex: Number(logIndex), id: String(id) };
}
