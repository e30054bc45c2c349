import { Injectable } from '@nestjs/common';
import { PrismaPg } from '@prisma/adapter-pg';
import { Pool } from 'pg';
import { PrismaClient } from '../generated/prisma/client';

/** Prisma on the service's own pool and schema. */
@Injectable()
export class PrismaService extends PrismaClient {
  constructor(pool: Pool) {
    super({ adapter: new PrismaPg(pool, { schema: 'alerts' }) });
  }
}
