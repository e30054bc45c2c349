import { Inject, Injectable } from '@nestjs/common';
import { PrismaPg } from '@prisma/adapter-pg';
import { Pool } from 'pg';
import { PrismaClient } from './generated/prisma/client';

/** Typed access for rare queries. It shares the pool, so it has no connection of its own. */
@Injectable()
export class PrismaService extends PrismaClient {
  constructor(@Inject(Pool) pool: Pool) {
    super({ adapter: new PrismaPg(pool, { schema: 'positions' }) });
  }
}
