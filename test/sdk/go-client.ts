import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { findFreePort, workspaceRoot } from '@plimsoll/local-parts';
import type { Plimsoll } from '@plimsoll/sdk';
import { waitFor } from '@plimsoll/testing';
import type { Platform } from '../platform/start-platform';
import { type Program, type Programs, snippetsOf } from './programs';

export interface ClientScene {
  platform: Platform;
  client: Plimsoll;
  /** PLIMSOLL_URL, PLIMSOLL_API_KEY and WALLET. */
  environment: Record<string, string>;
  /** An empty folder of a user. */
  folder: string;
  programs: Programs;
}

const CLIENT = path.join(workspaceRoot(), 'clients/go');
const SNIPPETS = snippetsOf('clients/go/README.md');
const HEAD =
  (SNIPPETS.get('quickstart')?.text ?? '').split('\tpositions :=')[0]!.split('func main() {')[1] ?? '';
const PACKAGES = ['context', 'errors', 'fmt', 'log', 'math/big', 'os', 'time', 'plimsoll'];
const MOST_MS = 240_000;

/** The later snippets use the client of the first one. Go refuses an import that a file does not use. */
function asProgram(text: string): string {
  if (text.startsWith('package main')) return text;
  const body = `${HEAD}\tctx := context.Background()\n{\n${text}}\n`;
  const used = PACKAGES.filter((name) => new RegExp(`\\b${path.basename(name)}\\.`).test(body));
  return `package main\n\nimport (\n${used.map((name) => `\t"${name}"\n`).join('')})\n\nfunc main() {\n${body}}\n`;
}

/** The Go client against the platform of the suite. */
export function describeGoClient(scene: () => ClientScene): void {
  describe('the Go client', () => {
    const folder = (): string => path.join(scene().folder, 'go');

    /** The module has no dependencies, so nothing is fetched. */
    const go = (args: string[], cwd: string): Program =>
      scene().programs.start('go', args, {
        cwd,
        env: { HOME: process.env['HOME'], GOPROXY: 'off', GOTOOLCHAIN: 'local', ...scene().environment },
      });
    async function succeeds(program: Program): Promise<string[]> {
      const code = await program.ended;
      expect([code, code === 0 ? '' : `${program.lines.join('\n')}\n${program.errors()}`]).toEqual([0, '']);
      return program.lines;
    }
    const run = (name: string, env: Record<string, string> = {}): Program =>
      scene().programs.start(path.join(folder(), 'bin', name), [], {
        cwd: folder(),
        env: { ...scene().environment, ...env },
      });
    const linesOf = (name: string): Promise<string[]> => succeeds(run(name));

    it(
      'is formatted and vetted',
      async () => {
        expect(
          await succeeds(scene().programs.start('gofmt', ['-l', '.'], { cwd: CLIENT, env: {} })),
        ).toEqual([]);
        await succeeds(go(['vet', './...'], CLIENT));
        await succeeds(go(['vet', '-tags', 'platform', './...'], CLIENT));
      },
      MOST_MS,
    );

    it(
      'passes its tests, with faults between it and the platform',
      async () => {
        const lines = await succeeds(go(['test', '-tags', 'platform', '-count=1', '-v', './...'], CLIENT));
        expect(lines).toContainEqual(expect.stringMatching(/^--- PASS: TestAWebhookOfThePlatformIsGenuine/));
        expect(lines.filter((line) => line.includes('--- SKIP'))).toEqual([]);
      },
      MOST_MS,
    );

    describe('in the snippets of its README', () => {
      beforeAll(async () => {
        for (const [name, { text }] of SNIPPETS) {
          await mkdir(path.join(folder(), name), { recursive: true });
          await writeFile(path.join(folder(), name, 'main.go'), asProgram(text));
        }
        const module = `module receiver\n\ngo 1.24\n\nrequire plimsoll v0.0.0\n\nreplace plimsoll => ${CLIENT}\n`;
        await writeFile(path.join(folder(), 'go.mod'), module);
        await succeeds(go(['build', '-o', 'bin/', './...'], folder()));
      }, MOST_MS);

      it('has no snippet that these tests do not know', () => {
        expect([...SNIPPETS.keys()].sort()).toEqual(
          ['amounts', 'errors', 'lists', 'options', 'quickstart', 'webhooks'].sort(),
        );
        expect(HEAD).toContain('plimsoll.New');
      });

      it('quickstart: prints the positions of a wallet', async () => {
        expect((await linesOf('quickstart'))[0]).toMatch(/^[a-z0-9-]+ \d+(\.\d+)?$/);
      });

      it('lists: reads pages and items', async () => {
        const { wallets } = await scene().client.wallets.list();
        const addresses = wallets.map(({ address }) => address);
        expect(await linesOf('lists')).toEqual(['2 true', ...addresses, '3 <nil>']);
      });

      it.each(['amounts', 'options'])('%s: prints true', async (name) => {
        expect(await linesOf(name)).toEqual(['true']);
      });

      it('errors: states field, remedy and request', async () => {
        expect(await linesOf('errors')).toEqual([expect.stringMatching(/^400 limit .*limit.* req_\w+$/)]);
      });

      it('webhooks: accepts a delivery of the platform and refuses a changed one', async () => {
        const { client } = scene();
        const port = String(await findFreePort());
        const url = `http://127.0.0.1:${port}/hook`;
        const { webhook } = await client.webhooks.create({ url, events: ['test.ping'] });
        const program = run('webhooks', { PLIMSOLL_WEBHOOK_SECRET: webhook.secret, PORT: port });
        const post = (headers: Record<string, string>): Promise<string> =>
          fetch(url, { method: 'POST', headers, body: '{}' }).then(
            (response) => response.text(),
            () => '',
          );
        await waitFor(async () => (await post({})) === 'signature_missing\n', {
          message: 'the receiver listens',
        });
        const { statusCode, deliveryId } = await client.webhooks.test({ id: webhook.id });
        expect(statusCode).toBe(204);
        const { eventId } = (await client.deliveries.get({ id: deliveryId })).delivery;
        await waitFor(() => program.lines.length > 0, { message: 'the event is printed' });
        expect(program.lines).toEqual([`test.ping ${eventId}`]);
        const headers = { 'webhook-id': 'a', 'webhook-timestamp': '1', 'webhook-signature': 'v1,AA==' };
        expect(await post(headers)).toBe('timestamp_too_old\n');
        program.process.kill();
        await program.ended;
        await client.webhooks.delete({ id: webhook.id });
      });
    });
  });
}
