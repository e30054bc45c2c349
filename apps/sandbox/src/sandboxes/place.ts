import { createHash } from 'node:crypto';
import path from 'node:path';
import type { SandboxConfig } from '../config';
import type { PlanePlace } from '../plane/service-plane';
import type { StoredSandbox } from './sandboxes.repository';

const NAME_LENGTH = 24;

/** The database of a generation: its name differs from every live one. */
export function databaseName({
  accountId,
  generation,
}: Pick<StoredSandbox, 'accountId' | 'generation'>): string {
  const digest = createHash('sha256').update(accountId).digest('hex').slice(0, NAME_LENGTH);
  return `test_${digest}_${generation}`;
}

/** Where a market keeps its data: a database, topics and a folder of its own. */
export function placeOf(
  { DATABASE_URL, KAFKA_TOPIC_PREFIX, SANDBOX_FOLDER }: SandboxConfig,
  stored: StoredSandbox,
): PlanePlace {
  const { accountId, generation } = stored;
  const database = new URL(DATABASE_URL);
  database.pathname = `/${databaseName(stored)}`;
  return {
    accountId,
    folder: path.join(SANDBOX_FOLDER, accountId),
    databaseUrl: database.toString(),
    topicPrefix: `${KAFKA_TOPIC_PREFIX}test.${accountId}.${generation}.`,
  };
}
