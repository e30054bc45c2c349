import path from 'node:path';
import { findFreePort } from '@plimsoll/local-parts';
import { type ServiceProcess, startProcess, waitFor } from '@plimsoll/testing';
import { Fixture, call } from './fixture';

jest.setTimeout(120_000);

const CLIENTS = 24;
const RESTARTS = 4;
/** Responses between two restarts. */
const BETWEEN = 500;
const POST = {
  method: 'POST',
  body: Buffer.from('{}'),
  headers: { 'content-type': 'application/json' },
} as const;

describe('a service of two instances, under load', () => {
  const instances: { url: string; process: ServiceProcess; start: () => Promise<ServiceProcess> }[] = [];
  let fixture: Fixture;

  beforeAll(async () => {
    fixture = await Fixture.start();
    for (const port of [await findFreePort(), await findFreePort()]) {
      const start = (): Promise<ServiceProcess> =>
        startProcess(path.join(__dirname, 'sample-instance.ts'), {
          PATH: process.env.PATH ?? '',
          PORT: String(port),
          IDENTITY_KEYS_FOLDER: fixture.identityKeys,
          LOG_LEVEL: 'silent',
        });
      instances.push({ url: `http://127.0.0.1:${port}`, process: await start(), start });
    }
  });
  afterAll(async () => {
    await Promise.all(instances.map(({ process }) => process.end('SIGTERM')));
    await fixture.stop();
  });

  it('responds to every request while the gateways restart one after the other', async () => {
    const load = await startLoad();
    const codes: (number | null)[] = [];
    for (let i = 0; i < RESTARTS; i += 1) {
      const instance = instances[i % 2]!;
      await load.respondsAgain();
      codes.push(await instance.process.end('SIGTERM'));
      instance.process = await instance.start();
    }
    expect({ failed: await load.end(), codes }).toEqual({
      failed: [],
      codes: Array.from({ length: RESTARTS }, () => 0),
    });
  });

  it('fails only requests in progress when one is killed', async () => {
    const load = await startLoad();
    await load.respondsAgain();
    const [killed] = instances;
    await killed!.process.end('SIGKILL');
    await load.respondsAgain();
    killed!.process = await killed!.start();
    await load.respondsAgain();
    const failed = await load.end();
    // A read that was not in progress at the killed gateway goes to the other one.
    expect(failed).not.toContain('read 503');
    expect(failed.length).toBeLessThanOrEqual(CLIENTS);
  });

  /** Clients that read and write through a gateway without a pause. */
  async function startLoad(): Promise<{ respondsAgain(): Promise<true>; end(): Promise<string[]> }> {
    const addresses = instances.map(({ url }) => url).join(',');
    const gateway = await fixture.gateway({ UPSTREAM_POSITIONS: addresses });
    const { key } = await fixture.account('enterprise', { perMinute: 1_000_000 });
    const failed: string[] = [];
    let responses = 0;
    const over = new AbortController();
    const read = () => call(gateway, '/v1/positions', key);
    const write = () => call(gateway, '/v1/wallets', key, POST);
    const client = async (_: unknown, i: number): Promise<void> => {
      while (!over.signal.aborted) {
        const isRead = i % 3 > 0;
        const { status } = await (isRead ? read() : write());
        responses += 1;
        if (status >= 300) failed.push(`${isRead ? 'read' : 'write'} ${status}`);
      }
    };
    const calling = Promise.all(Array.from({ length: CLIENTS }, client));
    return {
      respondsAgain: () => {
        const goal = responses + BETWEEN;
        return waitFor(() => responses > goal, { message: `${BETWEEN} more answers` });
      },
      end: async () => {
        over.abort();
        await calling;
        return failed;
      },
    };
  }
});
