import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { type TestFolder, createTestFolder, startPostgres, testAuthority } from '@plimsoll/testing';
import { Client, type Pool } from 'pg';
import { migrate } from '../src';
import { createPool } from '../src/database/pool';

const MIGRATION = '20260101000000_first';
const authority = testAuthority();

let folder: TestFolder;
let port: number;
let stop: () => Promise<void>;

const fileOf = async (name: string, text: string): Promise<string> => {
  const file = path.join(folder.path, name);
  await mkdir(path.dirname(file), { recursive: true });
  await writeFile(file, text);
  return file;
};
async function start(host: string): Promise<void> {
  const part = await startPostgres({
    dataDir: path.join(folder.path, 'data'),
    logFile: path.join(folder.path, 'postgres.log'),
    isDurable: false,
    tls: authority.issue('postgres', [host]),
  });
  port = part.port;
  stop = () => part.stop();
}
/** DATABASE_URL with the whole verification of the server. */
const urlOf = (caFile: string): string =>
  `postgresql://plimsoll:plimsoll@localhost:${port}/postgres?sslmode=verify-full&sslrootcert=${encodeURIComponent(caFile)}`;

beforeAll(async () => {
  folder = await createTestFolder();
  await fileOf(`migrations/${MIGRATION}/migration.sql`, 'CREATE TABLE kept (value int);');
});
afterEach(() => stop());
afterAll(() => folder.remove());

async function rowsOf(url: string): Promise<unknown[]> {
  const lost: Error[] = [];
  const pool: Pool = createPool(url, 'tls_test', (error) => lost.push(error));
  try {
    const sql = 'SELECT ssl, version FROM pg_stat_ssl WHERE pid = pg_backend_pid()';
    const { rows } = await pool.query<object>(sql);
    // The outbox relay opens its own connection with the options of the pool.
    const relay = new Client(pool.options);
    await relay.connect();
    const { rows: ofRelay } = await relay.query<object>(sql);
    await relay.end();
    return [...rows, ...ofRelay];
  } finally {
    await pool.end();
  }
}

describe('DATABASE_URL with sslmode=verify-full', () => {
  it('migrates and queries over TLS when the authority of sslrootcert signed the certificate', async () => {
    await start('localhost');
    const url = urlOf(await fileOf('authority.pem', authority.cert));
    expect(await migrate(url, 'tls_test', path.join(folder.path, 'migrations'))).toEqual([MIGRATION]);
    const encrypted = { ssl: true, version: 'TLSv1.3' };
    expect(await rowsOf(url)).toEqual([encrypted, encrypted]);
  });

  it('rejects a server of another authority', async () => {
    await start('localhost');
    const url = urlOf(await fileOf('stranger.pem', testAuthority('stranger').cert));
    await expect(rowsOf(url)).rejects.toThrow(/certificate/);
    await expect(migrate(url, 'tls_test', path.join(folder.path, 'migrations'))).rejects.toThrow(
      /certificate/,
    );
  });

  it('rejects a server whose certificate has another name', async () => {
    await start('database.example');
    const url = urlOf(await fileOf('authority.pem', authority.cert));
    await expect(rowsOf(url)).rejects.toThrow(/altnames/);
  });
});
