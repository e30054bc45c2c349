import { PrismaPg } from '@prisma/adapter-pg';
import type { Pool } from 'pg';
import { PrismaClient } from '../../generated/prisma/client';

/** Prisma on the gateway's own pool and schema, for rare queries. */
export function createPrisma(pool: Pool): PrismaClient {
  return new PrismaClient({ adapter: new PrismaPg(pool, { schema: 'gateway' }) });
}
