import { Controller, Get, Param, Query } from '@nestjs/common';
import { ChainAnswer, ChainList, FieldsQuery, PageQuery, notFound } from '@plimsoll/contracts';
import { Documented } from '@plimsoll/openapi';
import { decodeCursor, Clock, pageOf } from '@plimsoll/service-kit';
import { ChainStates } from './chain-states';
import { chainDetail, chainItem } from './chain-view';
import { Registry } from './registry';

@Controller('v1/chains')
export class ChainsController {
  constructor(
    private readonly registry: Registry,
    private readonly states: ChainStates,
    private readonly clock: Clock,
  ) {}

  @Get()
  @Documented({
    operationId: 'listChains',
    tag: 'Registry',
    summary: 'Covered chains',
    description: 'Every chain of the registry by id, with its status and its block time.',
    responses: [{ status: 200, description: 'A page of chains.', schema: ChainList }],
  })
  async list(@Query() { limit, cursor }: PageQuery): Promise<ChainList> {
    const [after = 0] = decodeCursor(cursor, ['number']) ?? [];
    const states = await this.states.all();
    const rows = this.registry.chains.filter(({ id }) => id > Number(after));
    const { items, nextCursor } = pageOf(rows, limit, (last) => [last.id]);
    const chains = items.map((row) =>
      chainItem(
        row,
        states.find(({ chainId }) => chainId === row.id),
        this.clock.now(),
      ),
    );
    return { chains, count: items.length, nextCursor };
  }

  @Get(':id')
  @Documented({
    operationId: 'getChain',
    tag: 'Registry',
    summary: 'One chain',
    description: 'The chain with its newest block, the lag of the positions, and what cannot be read.',
    path: {
      id: { type: 'string', pattern: '^[0-9]+$', description: 'Chain id (EIP-155).', examples: ['1'] },
    },
    responses: [{ status: 200, description: 'The chain.', schema: ChainAnswer }],
    errors: ['not_found'],
  })
  async find(@Param('id') id: string, @Query() _fields: FieldsQuery): Promise<ChainAnswer> {
    const row = this.registry.chains.find((chain) => String(chain.id) === id);
    if (!row) throw notFound('chain');
    const states = await this.states.all();
    return {
      chain: chainDetail(
        row,
        states.find(({ chainId }) => chainId === row.id),
        this.clock.now(),
      ),
    };
  }
}
