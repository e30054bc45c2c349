import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { assetListing, connectAnvil, deployEns, setPrice } from '@plimsoll/devnet';
import { findFreePort, workspaceRoot } from '@plimsoll/local-parts';
import { Plimsoll } from '@plimsoll/sdk';
import { waitFor } from '@plimsoll/testing';
import ts from 'typescript';
import { type Platform, startOwnPlatform } from '../platform/start-platform';
import { describeCollections } from './collections';
import { describeExamples } from './examples';
import { type ClientScene, describeGoClient } from './go-client';
import { type PackedSdk, packSdk } from './packed-sdk';
import { describePythonClient } from './python-client';
import { type Program, Programs, snippetsOf } from './programs';
import { describeRuntimes } from './runtimes';

const SNIPPETS = snippetsOf('libs/sdk/README.md');
/** `npm run tool -- go-client`, `python-client`, `sdk-runtimes` and CI name them. The default needs only Node. */
const LANGUAGES = (process.env['SDK_LANGUAGES'] ?? '').split(',');
const QUICKSTART = SNIPPETS.get('quickstart')?.text ?? '';
/** The later snippets use the client of the first one. */
const CLIENT = QUICKSTART.slice(0, QUICKSTART.indexOf('const { positions }'));
const SEEDED_USD = Number(assetListing('WETH').priceUsd) / 1e8;

describe('the snippets of the SDK', () => {
  let platform: Platform;
  let sdk: PackedSdk;
  let client: Plimsoll;
  let environment: Record<string, string>;
  const programs = new Programs();

  beforeAll(async () => {
    // One after the other: each uses every core.
    platform = await startOwnPlatform();
    // The example of a request that resolves a name.
    const ens = await deployEns(connectAnvil(platform.rpcUrl));
    await ens.register('treasury.eth', platform.wallets[0]!.address);
    sdk = await packSdk();
    const key = await platform.createKey('enterprise', 100_000);
    client = new Plimsoll({ apiKey: key, baseUrl: platform.baseUrl });
    for (const { address } of platform.wallets.slice(0, 5)) await client.wallets.watch({ address });
    const borrower = platform.wallets.find(({ plan }) => (plan.healthFactor ?? 0) > 1.2)!;
    environment = { PLIMSOLL_API_KEY: key, PLIMSOLL_URL: platform.baseUrl, WALLET: borrower.address };
  }, 300_000);

  afterAll(async () => {
    programs.stop();
    await platform?.stop();
    await sdk?.remove();
  });

  const fileOf = (name: string): string => path.join(sdk.user, `${name}.mts`);

  async function start(name: string, env: Record<string, string> = {}): Promise<Program> {
    const { text = '' } = SNIPPETS.get(name) ?? {};
    await writeFile(fileOf(name), name === 'quickstart' ? text : CLIENT + text);
    return programs.start(process.execPath, [fileOf(name)], {
      cwd: sdk.user,
      env: { ...environment, ...env },
    });
  }

  async function linesOf(name: string): Promise<string[]> {
    const program = await start(name);
    const code = await program.ended;
    expect([code, program.errors()]).toEqual([0, '']);
    return program.lines;
  }

  it('are all known to these tests', () => {
    expect([...SNIPPETS.keys()].sort()).toEqual(
      ['amounts', 'errors', 'follow', 'hooks', 'lists', 'quickstart', 'streams', 'webhooks'].sort(),
    );
    expect(CLIENT).toContain('new Plimsoll');
  });

  it('pass the type checker against the packed declarations', async () => {
    for (const [name, { text }] of SNIPPETS)
      await writeFile(fileOf(name), name === 'quickstart' ? text : CLIENT + text);
    const program = ts.createProgram([...SNIPPETS.keys()].map(fileOf), {
      strict: true,
      noEmit: true,
      target: ts.ScriptTarget.ES2023,
      module: ts.ModuleKind.NodeNext,
      moduleResolution: ts.ModuleResolutionKind.NodeNext,
      types: ['node'],
      typeRoots: [path.join(workspaceRoot(), 'node_modules/@types')],
    });
    const found = ts.getPreEmitDiagnostics(program).map(({ messageText }) => messageText);
    expect(found.map((each) => ts.flattenDiagnosticMessageText(each, '\n'))).toEqual([]);
  });

  it('quickstart: prints the positions of a wallet', async () => {
    const [line] = await linesOf('quickstart');
    expect(line).toMatch(/^[a-z0-9-]+ \d+(\.\d+)?$/);
  });

  it('lists: reads pages and items', async () => {
    const { wallets } = await client.wallets.list();
    expect(await linesOf('lists')).toEqual([
      '2 true',
      ...wallets.map(({ address }) => address),
      '2',
      '2',
      '1',
      '3',
    ]);
  });

  it('amounts: has a bigint', async () => {
    expect(await linesOf('amounts')).toEqual(['true']);
  });

  it('hooks: sees the request id that it set', async () => {
    expect(await linesOf('hooks')).toEqual([expect.stringMatching(/^GET 1 200 report-[0-9a-f-]{36}$/)]);
  });

  it('errors: states field, remedy and request', async () => {
    expect(await linesOf('errors')).toEqual([expect.stringMatching(/^400 limit .*limit.* req_\w+$/)]);
  });

  it('webhooks: accepts a delivery of the platform and refuses a changed one', async () => {
    const port = await findFreePort();
    const url = `http://127.0.0.1:${port}/hook`;
    const { webhook } = await client.webhooks.create({ url, events: ['test.ping'] });
    const program = await start('webhooks', { PLIMSOLL_WEBHOOK_SECRET: webhook.secret, PORT: String(port) });
    await waitFor(
      () =>
        fetch(url, { method: 'POST' }).then(
          ({ status }) => status === 400,
          () => false,
        ),
      {
        message: 'the receiver listens',
      },
    );
    const { statusCode, deliveryId } = await client.webhooks.test({ id: webhook.id });
    expect(statusCode).toBe(204);
    const { eventId } = (await client.deliveries.get({ id: deliveryId })).delivery;
    await waitFor(() => program.lines.length > 0, { message: 'the event is printed' });
    expect(program.lines).toEqual([`test.ping ${eventId}`]);
    const headers = { 'webhook-id': 'a', 'webhook-timestamp': '1', 'webhook-signature': 'v1,AA==' };
    expect(await (await fetch(url, { method: 'POST', headers, body: '{}' })).text()).toBe(
      'timestamp_too_old',
    );
    program.process.kill();
    await program.ended;
  });

  it('streams: prints the snapshot, then a change', async () => {
    const program = await start('streams');
    await waitFor(() => program.lines.some((line) => line.startsWith('snapshot')), {
      message: 'the snapshot',
    });
    let usd = SEEDED_USD;
    await waitFor(
      async () => {
        await setPrice(platform.rpcUrl, platform.devnet, 'WETH', (usd *= 0.99));
        return program.lines.some((line) => line.startsWith('event pos_'));
      },
      { message: 'a change', intervalMs: 1_000 },
    );
    expect([await program.ended, program.errors()]).toEqual([0, '']);
  });

  it('follow: prints the next event', async () => {
    const url = `http://127.0.0.1:${await findFreePort()}/closed`;
    const { webhook } = await client.webhooks.create({ url, events: ['test.ping'] });
    const program = await start('follow');
    // The first request of the program decides where it starts, and the test does not see it.
    await waitFor(
      async () => {
        await client.webhooks.test({ id: webhook.id });
        return program.lines.length > 0;
      },
      { message: 'an event is followed', intervalMs: 500 },
    );
    expect([await program.ended, program.errors()]).toEqual([0, '']);
    expect(program.lines).toEqual([expect.stringMatching(/^test\.ping evt_\w{22} true$/)]);
  });

  it('lead from npm init to a verified webhook', async () => {
    const tool = path.join(workspaceRoot(), 'tools/first-webhook.cjs');
    const program = programs.start(process.execPath, [tool], {
      cwd: workspaceRoot(),
      env: { HOME: process.env['HOME'], PLIMSOLL_SDK_TARBALL: sdk.tarball, ...environment },
    });
    expect([await program.ended, program.errors()]).toEqual([0, '']);
    expect(program.lines.filter((line) => line.includes(' s  $ ')).length).toBe(5);
    expect(program.lines.at(-1)).toMatch(/^The webhook was verified [\d.]+ s after npm init started\.$/);
  }, 300_000);

  const scene = (): ClientScene => ({ platform, client, environment, folder: sdk.user, programs });
  describeCollections(scene);
  describeExamples(scene);
  if (LANGUAGES.includes('go')) describeGoClient(scene);
  if (LANGUAGES.includes('python')) describePythonClient(scene);
  if (LANGUAGES.includes('runtimes')) describeRuntimes(scene);
});
