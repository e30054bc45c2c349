import path from 'node:path';
import { INBOX_MIGRATION, OUTBOX_MIGRATION } from '@plimsoll/event-bus';
import { IDEMPOTENCY_MIGRATION, type LibraryMigration } from '@plimsoll/service-kit';

export const LIBRARY = [OUTBOX_MIGRATION, INBOX_MIGRATION, IDEMPOTENCY_MIGRATION];

/** Every service with tables, with the migrations of libraries that it has. */
export const SERVICES: [app: string, schema: string, library: LibraryMigration[]][] = [
  ['ai', 'ai', []],
  ['alerts', 'alerts', LIBRARY],
  ['execution', 'execution', LIBRARY],
  ['gateway', 'gateway', [OUTBOX_MIGRATION]],
  ['market-data', 'market_data', [OUTBOX_MIGRATION, INBOX_MIGRATION]],
  ['positions', 'positions', LIBRARY],
  ['sandbox', 'sandbox', [IDEMPOTENCY_MIGRATION]],
  ['simulation', 'simulation', []],
  ['webhook-delivery', 'webhook_delivery', LIBRARY],
  ['whales', 'whales', [OUTBOX_MIGRATION]],
];

export const APPS = path.join(__dirname, '../../apps');

export const migrationsOf = (app: string): string => path.join(APPS, app, 'prisma/migrations');
