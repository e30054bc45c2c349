import { Controller, Get, Param, Query } from '@nestjs/common';
import { type ChainAnswer, type ChainList, PageQuery, notFound } from '@plimsoll/contracts';
import { decodeCursor, encodeCursor, Clock } from '@plimsoll/service-kit';
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
  async list(@Query() { limit, cursor }: PageQuery): Promise<ChainList> {
    const [after = 0] = decodeCursor(cursor, ['number']) ?? [];
    const states = await this.states.all();
    const rows = this.registry.chains.filter(({ id }) => id > Number(after));
    const page = rows.slice(0, limit);
    const last = page.at(-1);
    return {
      chains: page.map((row) =>
        chainItem(
          row,
          states.find(({ chainId }) => chainId === row.id),
          this.clock.now(),
        ),
      ),
      count: page.length,
      nextCursor: last && rows.length > limit ? encodeCursor([last.id]) : null,
    };
  }

  @Get(':id')
  async find(@Param('id') id: string): Promise<ChainAnswer> {
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
