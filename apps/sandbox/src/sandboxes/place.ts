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

/** Prefix of the topics and consumer groups of all test markets. The account and the generation follow. */
export function topicPrefix({ KAFKA_TOPIC_PREFIX }: SandboxConfig): string {
  return `${KAFKA_TOPIC_PREFIX}test.`;
}

/** Where a market keeps its data: a database, topics and a folder of its own. */
export function placeOf(config: SandboxConfig, stored: StoredSandbox): PlanePlace {
  const { accountId, generation } = stored;
  const database = new URL(config.DATABASE_URL);
  database.pathname = `/${databaseName(stored)}`;
  return {
    accountId,
    folder: path.join(config.SANDBOX_FOLDER, accountId),
    databaseUrl: database.toString(),
    topicPrefix: `${topicPrefix(config)}${accountId}.${generation}.`,
  };
}
