import { Inject, Injectable } from '@nestjs/common';
import { PrismaPg } from '@prisma/adapter-pg';
import { Pool } from 'pg';
import { PrismaClient } from './generated/prisma/client';

/** Typed access for what is rare; it shares the pool, so it opens and closes no connection of its own. */
@Injectable()
export class PrismaService extends PrismaClient {
  constructor(@Inject(Pool) pool: Pool) {
    super({ adapter: new PrismaPg(pool, { schema: 'positions' }) });
  }
}
