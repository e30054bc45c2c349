import { createHash } from 'node:crypto';
import path from 'node:path';
import type { SandboxConfig } from '../config';
import type { PlanePlace } from '../plane/service-plane';
import type { StoredSandbox } from './sandboxes.repository';

/** Prefix of the databases of this platform's test markets. Another platform on the server has another. */
export function databasePrefix({ DATABASE_URL }: Pick<SandboxConfig, 'DATABASE_URL'>): string {
  return `test_${digest(new URL(DATABASE_URL).pathname).slice(0, 8)}_`;
}

/** The database of a generation: its name differs from every live one. */
export function databaseName(
  config: Pick<SandboxConfig, 'DATABASE_URL'>,
  { accountId, generation }: Pick<StoredSandbox, 'accountId' | 'generation'>,
): string {
  return `${databasePrefix(config)}${digest(accountId).slice(0, 24)}_${generation}`;
}

const digest = (text: string): string => createHash('sha256').update(text).digest('hex');

/** Prefix of the topics and consumer groups of all test markets. The account and the generation follow. */
export function topicPrefix({ KAFKA_TOPIC_PREFIX }: SandboxConfig): string {
  return `${KAFKA_TOPIC_PREFIX}test.`;
}

/** Where a market keeps its data: a database, topics and a folder of its own. */
export function placeOf(config: SandboxConfig, stored: StoredSandbox): PlanePlace {
  const { accountId, generation } = stored;
  const database = new URL(config.DATABASE_URL);
  database.pathname = `/${databaseName(config, stored)}`;
  return {
    accountId,
    folder: path.join(config.SANDBOX_FOLDER, accountId),
    databaseUrl: database.toString(),
    topicPrefix: `${topicPrefix(config)}${accountId}.${generation}.`,
  };
}
