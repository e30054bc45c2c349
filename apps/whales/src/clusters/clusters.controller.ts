import { Controller, Get, Param, Query } from '@nestjs/common';
import {
  FieldsQuery,
  PageQuery,
  WhaleClusterAnswer,
  WhaleClusterList,
  notFound,
  recordId,
} from '@plimsoll/contracts';
import { Documented } from '@plimsoll/openapi';
import { decodeCursor, pageOf } from '@plimsoll/service-kit';
import { ClustersRepository } from './clusters.repository';

@Controller('v1/whales/clusters')
export class ClustersController {
  constructor(private readonly clusters: ClustersRepository) {}

  @Get()
  @Documented({
    operationId: 'listWhaleClusters',
    tag: 'Whales',
    summary: 'Clusters of wallets with probably one owner',
    description:
      'Wallets connected by their activity on chain: one owns or manages the other, positions or tokens moved between them, one paid for the other, or they moved together. Exchanges, routers and bridges connect no wallets. Highest totalValueUsd first.',
    responses: [{ status: 200, description: 'A page of clusters.', schema: WhaleClusterList }],
  })
  async list(@Query() { limit, cursor }: PageQuery): Promise<WhaleClusterList> {
    const parts = decodeCursor(cursor, ['number', 'string']);
    const place = parts && { totalValueUsd: Number(parts[0]), id: String(parts[1]) };
    const found = await this.clusters.list(place, limit + 1);
    const { items, nextCursor } = pageOf(found, limit, (last) => [last.totalValueUsd, last.id]);
    return { clusters: items, count: items.length, nextCursor };
  }

  @Get(':id')
  @Documented({
    operationId: 'getWhaleCluster',
    tag: 'Whales',
    summary: 'One cluster with its wallets and the evidence',
    description:
      'The evidence that connects its wallets, each piece with its weight. When clusters merge or split, the larger part keeps the id. The other id is `not_found`.',
    path: { id: recordId('wc', 'Id of the cluster.') },
    responses: [{ status: 200, description: 'The cluster.', schema: WhaleClusterAnswer }],
    errors: ['not_found'],
  })
  async find(@Param('id') id: string, @Query() _fields: FieldsQuery): Promise<WhaleClusterAnswer> {
    const cluster = await this.clusters.find(id);
    if (cluster === null) throw notFound('whale cluster');
    return { cluster };
  }
}
