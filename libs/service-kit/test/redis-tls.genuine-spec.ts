import { spawn } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import {
  type RunningPart,
  type TestFolder,
  createTestFolder,
  findFreePort,
  startRedis,
  testAuthority,
} from '@plimsoll/testing';

const ROOT = path.join(__dirname, '../../..');
const authority = testAuthority();
const server = authority.issue('redis', ['127.0.0.1']);

let folder: TestFolder;
let part: RunningPart;
let port: number;

const fileOf = async (name: string, text: string): Promise<string> => {
  const file = path.join(folder.path, name);
  await writeFile(file, text);
  return file;
};

beforeAll(async () => {
  folder = await createTestFolder();
  port = await findFreePort();
  part = await startRedis({
    dataDir: path.join(folder.path, 'data'),
    logFile: path.join(folder.path, 'redis.log'),
    tls: {
      port,
      certFile: await fileOf('cert.pem', server.cert),
      keyFile: await fileOf('key.pem', server.key),
    },
  });
});
afterAll(async () => {
  await part.stop();
  await folder.remove();
});

/** Sets and reads a key in a process with these authorities, as a service does. */
function setAndRead(url: string, authorities?: string): Promise<string> {
  const script = `
    const { connectRedis } = require('./libs/service-kit/src/redis/redis-connection.ts');
    const redis = connectRedis(process.argv[1], 'test');
    let reason = '';
    redis.on('error', (error) => { reason = error.message; });
    redis.connect()
      .then(() => redis.set('key', 'over TLS'))
      .then(() => redis.get('key'))
      .then((value) => console.log('RESULT ' + value), () => console.log('RESULT ' + reason))
      .finally(() => process.exit());`;
  const child = spawn(process.execPath, ['-r', '@swc-node/register', '-e', script, url], {
    cwd: ROOT,
    env: { ...process.env, ...(authorities && { NODE_EXTRA_CA_CERTS: authorities }) },
  });
  let output = '';
  child.stdout.on('data', (chunk) => (output += String(chunk)));
  return new Promise((resolve) =>
    child.once('close', () => resolve(/RESULT (.*)/.exec(output)?.[1] ?? output)),
  );
}

describe('REDIS_URL with rediss://', () => {
  it('connects over TLS when NODE_EXTRA_CA_CERTS has the authority of the certificate', async () => {
    const file = await fileOf('authority.pem', authority.cert);
    expect(await setAndRead(`rediss://127.0.0.1:${port}`, file)).toBe('over TLS');
  });

  it('rejects a certificate of another authority', async () => {
    expect(await setAndRead(`rediss://127.0.0.1:${port}`)).toMatch(/certificate/);
  });

  it('rejects a certificate for another name', async () => {
    const file = await fileOf('authority.pem', authority.cert);
    expect(await setAndRead(`rediss://localhost:${port}`, file)).toMatch(/altnames/);
  });
});
