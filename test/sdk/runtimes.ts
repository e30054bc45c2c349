import { execFile } from 'node:child_process';
import { cp } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { assetListing, setPrice } from '@plimsoll/devnet';
import { findFreePort, workspaceRoot } from '@plimsoll/local-parts';
import { startReceiver, waitFor } from '@plimsoll/testing';
import type { ClientScene } from './go-client';
import type { Program } from './programs';

const SOURCES = path.join(workspaceRoot(), 'test/sdk/runtimes');
const INSTALL_MS = 240_000;
const SEEDED_USD = Number(assetListing('WETH').priceUsd) / 1e8;
/** The output of each runtime. workerd has no receipt, because its modules are listed one by one. */
const STEPS = [
  expect.stringMatching(/^position 0x[0-9a-f]{40} bigint$/i),
  'webhook test.ping signature_wrong',
  'receipt null true true schema_invalid hash_differs',
  'error true invalid_request limit',
  'snapshot',
  'stream event snapshot',
];
const DENO = ['run', '--no-prompt', '--allow-net=127.0.0.1', '--allow-env', 'main.mjs'];

/** The packed SDK in other runtimes, which are installed in the folder of the user. */
export function describeRuntimes(scene: () => ClientScene): void {
  describe('the SDK in other runtimes', () => {
    let folder: string;
    let environment: Record<string, string>;

    beforeAll(async () => {
      const { client, environment: ofPlatform, folder: user } = scene();
      folder = path.join(user, 'runtimes');
      await cp(SOURCES, folder, { recursive: true });
      // Packages contain the runtimes. No script of a package may fetch another.
      const npm = ['ci', '--ignore-scripts', '--no-audit', '--no-fund'];
      await promisify(execFile)('npm', npm, { cwd: folder, timeout: INSTALL_MS });
      for (const name of ['bun', 'workerd']) {
        // Puts the runtime of its package for this platform in the place of a wrapper.
        const cwd = path.join(folder, 'node_modules', name);
        await promisify(execFile)(process.execPath, ['install.js'], { cwd, timeout: INSTALL_MS });
      }
      const from = path.join(user, 'node_modules/@plimsoll');
      await cp(from, path.join(folder, 'node_modules/@plimsoll'), { recursive: true, dereference: true });

      const receiver = await startReceiver();
      const { webhook } = await client.webhooks.create({ url: receiver.url, events: ['test.ping'] });
      await client.webhooks.test({ id: webhook.id });
      const [request] = receiver.requests;
      await receiver.close();
      await client.webhooks.delete({ id: webhook.id });
      const { platform } = scene();
      const { origin } = new URL(platform.baseUrl);
      const json = async <T>(at: string): Promise<T> =>
        (await (
          await fetch(origin + at, { headers: { 'x-api-key': ofPlatform['PLIMSOLL_API_KEY']! } })
        ).json()) as T;
      const [position] = await client.positions.list({ wallet: ofPlatform['WALLET']! }).take(1);
      const { receipt } = await json<{ receipt: object }>(`/v1/positions/${position!.id}?receipt=true`);
      const { keys } = await json<{ keys: object[] }>('/.well-known/plimsoll-keys.json');
      environment = {
        ...ofPlatform,
        RECEIPT: JSON.stringify(receipt),
        KEYS: JSON.stringify(keys),
        RPC_URL: platform.rpcUrl,
        BODY: String(request!.body),
        HEADERS: JSON.stringify(request!.headers),
        SECRET: webhook.secret,
      };
    }, INSTALL_MS + 60_000);

    const start = (program: string, args: string[], env = environment): Program =>
      scene().programs.start(program, args, { cwd: folder, env });

    /** Lets prices fall until a program that waits for an event has ended. */
    async function linesOf(program: Program): Promise<string[]> {
      const { platform } = scene();
      let usd = SEEDED_USD;
      let hasEnded = false;
      void program.ended.then(() => (hasEnded = true));
      await waitFor(
        async () => {
          if (program.lines.includes('snapshot'))
            await setPrice(platform.rpcUrl, platform.devnet, 'WETH', (usd *= 0.99));
          return hasEnded;
        },
        { message: 'the program has ended', intervalMs: 500, timeoutMs: 30_000 },
      ).catch((error: unknown) => {
        throw new Error(`${String(error)}: ${program.lines.join('\n')}${program.errors()}`);
      });
      expect([await program.ended, program.errors()]).toEqual([0, '']);
      return program.lines;
    }

    it.each([
      ['deno', DENO],
      ['bun', ['run', 'main.mjs']],
    ])(
      '%s',
      async (name, args) => {
        expect(await linesOf(start(path.join(folder, 'node_modules/.bin', name), args))).toEqual(STEPS);
      },
      120_000,
    );

    it('a page in Chromium', async () => {
      // The package unpacks the browser into the temporary folder.
      const program = start(process.execPath, ['browser.mjs'], { ...environment, TMPDIR: folder });
      expect(await linesOf(program)).toEqual(STEPS);
    }, 120_000);

    describe('the page of device codes in Chromium', () => {
      const user = { email: 'device-page@example.com', password: 'correct horse battery staple' };
      const name = '<b>my</b> laptop';
      const post = (at: string, body: object): Promise<Response> =>
        fetch(`${new URL(scene().platform.baseUrl).origin}/account/v1/${at}`, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify(body),
        });

      beforeAll(async () => {
        expect((await post('sign-up', user)).ok).toBe(true);
      });

      it.each([
        [
          'approve',
          'Approved. Return to the program.',
          { key: expect.objectContaining({ name }) as unknown },
        ],
        ['deny', 'Denied. The program receives no key.', { code: 'access_denied' }],
      ])(
        '%s',
        async (DECISION, message, token) => {
          const issued = await post('device/code', { name, scopes: ['positions:read'] });
          const codes = (await issued.json()) as Record<string, string>;
          const program = start(process.execPath, ['device-page.mjs'], {
            ADDRESS: codes['verificationUriComplete']!,
            EMAIL: user.email,
            PASSWORD: user.password,
            DECISION,
            TMPDIR: folder,
          });
          expect([await program.ended, program.errors()]).toEqual([0, '']);
          expect(program.lines).toEqual(
            expect.arrayContaining([
              `Code: ${codes['userCode']}`,
              `Name: ${name}`,
              'Permissions: positions:read',
              message,
            ]),
          );
          const { deviceCode } = codes;
          expect(await (await post('device/token', { deviceCode })).json()).toMatchObject(token);
        },
        120_000,
      );
    });

    it('workerd', async () => {
      const port = await findFreePort();
      const address = `127.0.0.1:${port}`;
      const args = ['serve', 'workerd.capnp', '--socket-addr', `http=${address}`];
      const server = start(path.join(folder, 'node_modules/.bin/workerd'), args, {});
      const send = ['-e', SEND, `http://${address}`];
      try {
        await waitFor(
          () =>
            fetch(`http://${address}`, { method: 'POST' }).then(
              () => true,
              () => false,
            ),
          {
            message: 'workerd listens',
          },
        );
        expect(await linesOf(start(process.execPath, send))).toEqual(
          STEPS.filter((step) => !String(step).startsWith('receipt')),
        );
      } finally {
        server.process.kill('SIGKILL');
        await server.ended;
      }
    }, 120_000);
  });
}

/** Sends the environment to a worker, and prints its response. */
const SEND = `
const { BODY, HEADERS, SECRET, PLIMSOLL_API_KEY, PLIMSOLL_URL, WALLET } = process.env;
const body = JSON.stringify({ BODY, HEADERS, SECRET, PLIMSOLL_API_KEY, PLIMSOLL_URL, WALLET });
fetch(process.argv[1], { method: 'POST', body }).then(async ({ body }) => {
  for await (const chunk of body) process.stdout.write(chunk);
});`;
