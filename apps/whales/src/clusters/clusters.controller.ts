import { Controller, Get, Param, Query } from '@nestjs/common';
import { PageQuery, type WhaleClusterAnswer, type WhaleClusterList, notFound } from '@plimsoll/contracts';
import { decodeCursor, encodeCursor } from '@plimsoll/service-kit';
import { ClustersRepository } from './clusters.repository';

@Controller('v1/whales/clusters')
export class ClustersController {
  constructor(private readonly clusters: ClustersRepository) {}

  @Get()
  async list(@Query() { limit, cursor }: PageQuery): Promise<WhaleClusterList> {
    const parts = decodeCursor(cursor, ['number', 'string']);
    const place = parts && { totalValueUsd: Number(parts[0]), id: String(parts[1]) };
    const found = await this.clusters.list(place, limit + 1);
    const page = found.slice(0, limit);
    const last = page.at(-1);
    const nextCursor = last && found.length > limit ? encodeCursor([last.totalValueUsd, last.id]) : null;
    return { clusters: page, count: page.length, nextCursor };
  }

  @Get(':id')
  async find(@Param('id') id: string): Promise<WhaleClusterAnswer> {
    const cluster = await this.clusters.find(id);
    if (cluster === null) throw notFound('whale cluster');
    return { cluster };
  }
}
