import { chmod, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { WalletImportProgress } from '@plimsoll/contracts';
import { assetListing, setPrice } from '@plimsoll/devnet';
import { findFreePort } from '@plimsoll/local-parts';
import { Plimsoll, webhooks } from '@plimsoll/sdk';
import { type Receiver, startReceiver, waitFor } from '@plimsoll/testing';
import { type Platform, startOwnPlatform } from '../platform/start-platform';
import { FaultProxy } from '../sdk/fault-proxy';
import { snippetsOf } from '../sdk/programs';
import { CliProgram, type Finished } from './cli-program';

const SEEDED_USD = Number(assetListing('WETH').priceUsd) / 1e8;
const SNIPPETS = snippetsOf('apps/cli/README.md');
/** `.ci/run` and `npm run tool -- completion` name the shells. npm test needs none of them. */
const COMPLETION_SHELLS = (process.env['COMPLETION_SHELLS'] ?? '').split(',').filter((shell) => shell !== '');
/** Each prints what the shell itself completes. */
const COMPLETIONS: Record<string, string> = {
  bash: `eval "$(plimsoll completion bash)"
    COMP_WORDS=(plimsoll simulate mon); COMP_CWORD=2; _plimsoll; echo "\${COMPREPLY[*]}"
    COMP_WORDS=(plimsoll streams tail al); COMP_CWORD=3; _plimsoll; echo "\${COMPREPLY[*]}"
    COMP_WORDS=(plimsoll listen --forw); COMP_CWORD=2; _plimsoll; echo "\${COMPREPLY[*]}"`,
  // Types into a terminal. The last line is completed by the script as a file of fpath, where the first call loads it.
  zsh: `zmodload zsh/zpty
    ask() {
      export SETUP=$1
      zpty shell zsh -f -i
      zpty -w shell 'PS1= ; PROMPT_EOL_MARK=; eval $SETUP
        show() { print -r -- "<<$BUFFER>>"; BUFFER= }
        zle -N show; bindkey "^X" show; bindkey "^I" complete-word; print RE""ADY'
      zpty -r -m shell seen '*READY*'
      for words in "\${@:2}"; do
        zpty -w -n shell "$words"$'\\t\\x18'
        zpty -r -m shell seen '*<<*>>*'
        print -r -- "\${\${\${\${seen##*<<}%%>>*}% }##* }"
      done
      zpty -d shell
    }
    ask 'autoload -U compinit; compinit -u -D; eval "$(plimsoll completion zsh)"' \\
      'plimsoll simulate mon' 'plimsoll streams tail al'
    ask 'fpath=($FUNCTIONS $fpath); autoload -U compinit; compinit -u -D' 'plimsoll listen --forw'`,
  fish: `plimsoll completion fish | source
    for line in "plimsoll simulate mon" "plimsoll streams tail al" "plimsoll listen --forw"
      complete -C $line
    end`,
};
const ESCAPE = '\u001b';
/** Turns the text after it around. The API accepts it in a name. */
const TURN = '\u202e';

/** The packed command line against the platform, with a proxy in between that fails on demand. */
describe('the command line', () => {
  let platform: Platform;
  let proxy: FaultProxy;
  let receiver: Receiver;
  let cli: CliProgram;
  let folder: string;
  let key: string;
  let client: Plimsoll;
  let environment: Record<string, string>;
  let borrower: string;
  let positionId: string;

  beforeAll(async () => {
    // One after the other: each uses every core.
    platform = await startOwnPlatform();
    cli = await CliProgram.pack();
    receiver = await startReceiver();
    proxy = await FaultProxy.start(new URL(platform.baseUrl).origin);
    folder = await mkdtemp(path.join(tmpdir(), 'plimsoll-cli-'));
    key = await platform.createKey('enterprise', 100_000);
    client = new Plimsoll({ apiKey: key, baseUrl: platform.baseUrl });
    environment = {
      PLIMSOLL_API_KEY: key,
      PLIMSOLL_URL: proxy.url,
      PLIMSOLL_PROFILES: path.join(folder, 'none.json'),
    };
    borrower = platform.wallets.find(({ plan }) => (plan.healthFactor ?? 0) > 1.2)!.address;
    await client.wallets.watch({ address: borrower });
    positionId = (await client.positions.list({ wallet: borrower }).take(1))[0]!.id;
  }, 300_000);

  afterAll(async () => {
    await cli?.remove();
    await proxy?.stop();
    await platform?.stop();
    await receiver?.close();
    if (folder) await rm(folder, { recursive: true, force: true });
  });

  beforeEach(() => {
    proxy.faults.length = 0;
  });

  const run = (args: string[], env: Record<string, string> = {}, input = ''): Promise<Finished> =>
    cli.start(args, { ...environment, ...env }, input).ended;

  async function text(...args: string[]): Promise<string> {
    const { code, out, errors } = await run(args);
    expect([code, errors]).toEqual([0, '']);
    return out;
  }

  const json = async <T>(...args: string[]): Promise<T> => JSON.parse(await text(...args, '--json')) as T;

  it('is one package without others, with the licences of what it contains', async () => {
    const lock = await readFile(path.join(cli.packed.user, 'node_modules/.package-lock.json'), 'utf8');
    const { packages } = JSON.parse(lock) as { packages: object };
    expect(Object.keys(packages)).toEqual(['node_modules/plimsoll']);
    const licences = path.join(cli.packed.user, 'node_modules/plimsoll/dist/LICENCES.txt');
    expect(await readFile(licences, 'utf8')).toContain('commander');
  });

  it('describes every command with --help', async () => {
    const seen: string[] = [];
    const visit = async (words: string[]): Promise<void> => {
      const { code, out } = await run([...words, '--help']);
      expect([words, code, out.startsWith(`Usage: ${['plimsoll', ...words].join(' ')}`)]).toEqual([
        words,
        0,
        true,
      ]);
      seen.push(words.join(' '));
      const [, commands = ''] = out.split('\nCommands:\n');
      const [list = ''] = commands.split('\n\n');
      for (const [, name = ''] of list.matchAll(/^ {2}([a-z-]+)/gm))
        if (name !== 'help') await visit([...words, name]);
    };
    await visit([]);
    expect(seen).toEqual(
      expect.arrayContaining([
        'login',
        'keys create',
        'simulate monte-carlo',
        'deliveries retry',
        'streams tail',
      ]),
    );
  });

  describe('profiles', () => {
    const own = (): Record<string, string> => ({
      PLIMSOLL_API_KEY: '',
      PLIMSOLL_PROFILES: path.join(folder, 'own/profiles.json'),
    });

    it('stores a key from standard input in a file that only the user can read', async () => {
      const { code, out, errors } = await run(['login'], own(), `${key}\n`);
      expect([code, errors]).toEqual([0, '']);
      expect(out).not.toContain(key);
      const file = own()['PLIMSOLL_PROFILES']!;
      expect((await stat(file)).mode & 0o777).toBe(0o600);
      expect((await stat(path.dirname(file))).mode & 0o777).toBe(0o700);
      expect((await run(['wallets'], own())).out).toContain(borrower);
    });

    it('stores a second profile, and lists, selects and removes them without printing a key', async () => {
      const second = { ...own(), PLIMSOLL_API_KEY: await platform.createKey('open') };
      expect((await run(['login', '--profile', 'free'], second)).code).toBe(0);
      const list = async () => (await run(['profiles', '--json'], own())).out;
      expect(JSON.parse(await list())).toEqual({
        profiles: [
          { name: 'default', url: proxy.url, isCurrent: false },
          { name: 'free', url: proxy.url, isCurrent: true },
        ],
      });
      expect((await run(['wallets'], own())).out).toMatch(/^No wallet/);
      expect((await run(['wallets', '--profile', 'default'], own())).out).toContain(borrower);
      expect((await run(['profiles', 'use', 'default'], own())).code).toBe(0);
      expect((await run(['logout', '--profile', 'free'], own())).code).toBe(0);
      expect((await run(['wallets'], own())).out).toContain(borrower);
      expect((await run(['wallets', '--profile', 'free'], own())).code).toBe(2);
    });

    it('refuses a file that others can read, and a wrong key', async () => {
      const file = own()['PLIMSOLL_PROFILES']!;
      await chmod(file, 0o644);
      const refused = await run(['wallets'], own());
      expect([refused.code, refused.errors]).toEqual([2, expect.stringContaining('chmod 600')]);
      expect((await run(['login'], own(), `${key}\n`)).code).toBe(0);
      expect((await stat(file)).mode & 0o777).toBe(0o600);
      expect((await run(['login', '--profile', 'bad'], own(), 'pk_wrong\n')).code).toBe(3);
      expect((await run(['profiles', '--json'], own())).out).not.toContain('bad');
    });
  });

  describe('an account', () => {
    const email = 'cli@example.com';
    const password = 'correct horse battery staple';
    const own = (): Record<string, string> => ({
      PLIMSOLL_API_KEY: '',
      PLIMSOLL_PROFILES: path.join(folder, 'device/profiles.json'),
    });
    let cookie: string;

    const post = (at: string, body: object): Promise<Response> =>
      fetch(`${new URL(platform.baseUrl).origin}/account/v1/${at}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', cookie },
        body: JSON.stringify(body),
      });
    const keys = (...args: string[]): Promise<Finished> =>
      run(['keys', ...args, '--email', email], own(), `${password}\n`);
    const listed = async (): Promise<{ id: string; name: string; status: string; scopes: string[] }[]> =>
      (JSON.parse((await keys('--json')).out) as { keys: [] }).keys;

    beforeAll(async () => {
      cookie = '';
      await post('sign-up', { email, password });
      const response = await post('log-in', { email, password });
      cookie = response.headers
        .getSetCookie()
        .map((each) => each.split(';')[0]!)
        .join('; ');
    });

    /** Starts a log-in, and decides about its code. */
    async function device(what: 'approve' | 'deny', ...args: string[]): Promise<Finished> {
      const program = cli.start(['login', '--device', ...args], { ...environment, ...own() });
      const userCode = await waitFor(() => /code ([A-Z]{4}-[A-Z]{4}) /.exec(program.errors())?.[1], {
        message: 'the code',
      });
      // The first request for the key of an approval fails.
      if (what === 'approve') proxy.faults.push('bad-gateway');
      expect((await post(`device/${what}`, { userCode })).status).toBe(200);
      return program.ended;
    }

    it('logs in by device code, and stores the key that the user approves', async () => {
      const { code, out, errors } = await device(
        'approve',
        '--scope',
        'positions:read',
        '--name',
        'my laptop',
      );
      expect([code, errors]).toEqual([0, expect.stringMatching(/^Open http:\S+\/docs\/device and enter/)]);
      expect(out).toMatch(/stored as profile default\. It expires at /);
      expect(await listed()).toEqual([
        expect.objectContaining({ name: 'my laptop', status: 'active', scopes: ['positions:read'] }),
      ]);
      expect((await run(['positions', '--wallet', borrower], own())).out).toContain(positionId);
      expect((await run(['wallets'], own())).code).toBe(4);
    }, 60_000);

    it('stores nothing when the user denies the code', async () => {
      const { code, errors } = await device('deny', '--profile', 'denied');
      expect([code, errors]).toEqual([
        4,
        expect.stringMatching(/error: The request for a key was denied\.\n$/),
      ]);
      expect((await run(['profiles', '--json'], own())).out).not.toContain('denied');
    }, 60_000);

    it('lists, revokes and creates keys with a password, and ends its session', async () => {
      const { id } = (await listed())[0]!;
      const capped = await keys('create', 'second');
      expect([capped.code, capped.errors]).toEqual([4, expect.stringContaining('Revoke one')]);
      expect((await keys('revoke', id)).out).toBe(`${id} is revoked.\n`);
      const created = await keys('create', 'ci', '--scope', 'alerts:read');
      expect(created).toMatchObject({
        code: 0,
        errors: '',
        out: expect.stringMatching(/^psk_live_\w{38}\n$/),
      });
      expect((await keys()).out).toMatch(/ ci +psk_live_\w{4}… +active +alerts:read /);
      expect((await keys('revoke', 'key_0000000000000000000000')).code).toBe(5);
      const response = await fetch(`${new URL(platform.baseUrl).origin}/account/v1/sessions`, {
        headers: { cookie },
      });
      expect(((await response.json()) as { count: number }).count).toBe(1);
    }, 60_000);

    it('refuses a wrong password, none, and an address without encryption', async () => {
      const wrong = await run(['keys', '--email', email], own(), 'wrong\n');
      expect([wrong.code, wrong.out]).toEqual([3, '']);
      expect((await run(['keys', '--email', email], own())).code).toBe(2);
      const plain = await run(
        ['keys', '--email', email, '--base-url', 'http://192.0.2.1'],
        own(),
        'secret\n',
      );
      expect([plain.code, plain.errors]).toEqual([2, expect.stringContaining('unencrypted')]);
      expect((await run(['login', '--name', 'x'], own(), `${key}\n`)).code).toBe(2);
    });
  });

  describe('positions', () => {
    it('prints the health of each position, although requests fail in between', async () => {
      proxy.faults.push('reset', 'bad-gateway', 'truncated');
      const [head, ...rows] = (await text('positions', '--wallet', borrower)).trimEnd().split('\n');
      const { positions } = await client.positions.list({ wallet: borrower });
      expect(head).toMatch(/^health +factor +level/);
      expect(rows).toHaveLength(positions.length);
      const [{ id, riskLevel }] = positions as [(typeof positions)[0]];
      expect(rows[0]).toMatch(/^[█░]{10} +\d+\.\d+ /);
      expect(rows[0]).toContain(id);
      expect(rows[0]).toContain(riskLevel);
    });

    it('prints them although responses stall, fail and are limited', async () => {
      proxy.faults.push('stall', 'internal', 'limited');
      expect(await text('positions', '--wallet', borrower, '--timeout', '2')).toContain(positionId);
      expect(proxy.faults).toEqual([]);
      expect((await run(['positions', '--timeout', '0'])).code).toBe(2);
    });

    it('prints the JSON of the API with exact amounts', async () => {
      const found = await json<{ positions: Record<string, unknown>[]; hasMore: boolean; asOfBlock: object }>(
        'positions',
        'list',
        '--wallet',
        borrower,
        '--limit',
        '1',
      );
      expect(found.positions).toHaveLength(1);
      expect(found.positions[0]).toMatchObject({ id: positionId, wallet: borrower });
      expect(found.positions[0]?.['healthFactorRaw']).toMatch(/^\d{19,}$/);
      expect(Object.keys(found.asOfBlock)).toEqual(['1']);
    });

    it('prints one position with its assets', async () => {
      expect(await text('positions', 'show', positionId)).toMatch(/collateral +W?ETH|collateral +\w+ /);
    });

    it('uses colours only where they are wanted', async () => {
      const args = ['positions', '--wallet', borrower];
      expect((await run(args)).out).not.toContain(ESCAPE);
      expect((await run(args, { FORCE_COLOR: '1' })).out).toContain(`${ESCAPE}[`);
      expect((await run(args, { FORCE_COLOR: '1', NO_COLOR: '1' })).out).not.toContain(ESCAPE);
      expect((await run([...args, '--no-color'], { FORCE_COLOR: '1' })).out).not.toContain(ESCAPE);
    });
  });

  it('watches wallets, and prints their names without what a terminal obeys', async () => {
    const { address } = platform.wallets[5]!;
    await text('wallets', 'watch', address, '--label', `safe ${TURN}elbarenluv`);
    const out = await text('wallets');
    expect(out).toContain('safe \u{fffd}elbarenluv');
    expect(out).not.toContain(TURN);
    expect(await text('wallets', '--json')).toContain('safe \\u202eelbarenluv');
    await text('wallets', 'unwatch', address);
    expect(await text('wallets')).not.toContain(address);
  });

  it('imports wallets of a CSV file, and prints the rejected ones', async () => {
    const { address } = platform.wallets[6]!;
    const file = path.join(folder, 'wallets.csv');
    await writeFile(file, `address,label\r\n${address},"Desk, hot"\r\n0x12,bad ${TURN}\r\n`);
    const { out, errors } = await run(['wallets', 'import', file]);
    expect(errors).toMatch(/^Import imp_\w+ of 2 wallets began\./);
    expect(out).toMatch(/^completed: 1 added, 0 already watched, 1 rejected\.\n/);
    expect(out).toMatch(/^2 +0x12 +/m);
    expect(await text('wallets')).toContain('Desk, hot');
    const again = JSON.parse((await run(['wallets', 'import', file, '--json'])).out) as WalletImportProgress;
    expect(again).toMatchObject({ walletImport: { alreadyWatched: 1 }, rejections: [{ index: 1 }] });
    expect((await run(['wallets', 'import', 'missing.csv'])).code).toBe(2);
    await text('wallets', 'unwatch', address);
  });

  describe('simulate', () => {
    it('prints what price changes do', async () => {
      const out = await text('simulate', 'what-if', positionId, '--shock', 'WETH=-30', '--shock', 'WBTC=-30');
      expect(out).toMatch(new RegExp(`^${positionId}: health factor [\\d.]+ at block \\d+, prices of `));
      expect(out).toMatch(/^WETH -30 % +[█░]{10}/m);
      expect(out).toMatch(/^all together +[█░]{10}/m);
    });

    it('draws the distribution of health factors', async () => {
      const args = [
        'simulate',
        'monte-carlo',
        positionId,
        '--days',
        '7,30',
        '--seed',
        '7',
        '--iterations',
        '1000',
      ];
      const out = await text(...args);
      expect(out).toMatch(/^ 7 d .*├.*●.*[┤→]$/m);
      expect(out).toMatch(/^30 d .*├.*●.*[┤→]$/m);
      expect(out).toMatch(/^ +30 +[\d.]+ % +± [\d.]+ %/m);
      const { results } = await json<{ results: { horizonDays: number; seed: number; block: number }[] }>(
        ...args,
      );
      expect(results.map(({ horizonDays, seed }) => [horizonDays, seed])).toEqual([
        [7, 7],
        [30, 7],
      ]);
    });

    it('prints the outcome of each scenario', async () => {
      const { scenarios } = await client.simulate.scenarios();
      const out = await text('simulate', 'stress', positionId);
      for (const { id } of scenarios) expect(out).toMatch(new RegExp(`^${id} +.*(liquidated|survives)`, 'm'));
    });
  });

  describe('events', () => {
    let webhookId: string;

    beforeAll(async () => {
      const { webhook } = await json<{ webhook: { id: string; secret: string } }>(
        'webhooks',
        'create',
        `${receiver.url}/registered`,
        '--event',
        'test.ping',
        '--event',
        'alert.created',
      );
      webhookId = webhook.id;
      expect(webhook.secret).toMatch(/^whsec_/);
    });

    it('listens, and forwards events that the SDK verifies', async () => {
      const listening = cli.start(
        ['listen', '--forward-to', `${receiver.url}/local`, '--interval', '100', '--max', '2'],
        environment,
      );
      await waitFor(() => listening.errors().includes('Ready.'), { message: 'it listens' });
      const [secret = ''] = /whsec_\S+/.exec(listening.errors()) ?? [];
      proxy.faults.push('reset', 'truncated', 'bad-gateway');
      expect(await text('trigger')).toMatch(/^test\.ping is delivered: 200 /);
      expect(await text('trigger', 'alert.created', '--webhook', webhookId)).toContain('is delivered');
      const { code, out } = await listening.ended;
      expect(code).toBe(0);
      expect(out).toMatch(
        /^\S+ \S+ test\.ping evt_\w+ → 200 \(\d+ ms\)\n\S+ \S+ alert\.created evt_\w+ → 200/,
      );
      const genuine = receiver.requests.filter((each) => each.path === '/registered');
      const forwarded = receiver.requests.filter((each) => each.path === '/local');
      expect(forwarded).toHaveLength(2);
      for (const [at, request] of forwarded.entries()) {
        const event = await webhooks.verify(request.body, request.headers, secret);
        const sent = JSON.parse(String(genuine[at]!.body)) as object;
        expect(JSON.parse(String(request.body))).toEqual({ ...sent, webhookId: event.webhookId });
        const old = { acceptWithoutTime: true };
        const { 'x-service-signature': signature } = request.headers;
        await webhooks.verify(request.body, { 'x-service-signature': signature }, secret, old);
        const tampered = Buffer.from(`${String(request.body)} `);
        await expect(webhooks.verify(tampered, request.headers, secret)).rejects.toMatchObject({
          code: 'signature_wrong',
        });
      }
    });

    it('listens over a restart of the gateway', async () => {
      const url = `${receiver.url}/restart`;
      const args = ['listen', '--forward-to', url, '--interval', '100', '--max', '1'];
      const listening = cli.start(args, environment);
      await waitFor(() => listening.errors().includes('Ready.'), { message: 'it listens' });
      await platform.services.gateway.stop();
      expect((await run(['usage'])).code).toBe(8);
      await platform.services.gateway.start();
      expect(await text('trigger')).toContain('is delivered');
      expect((await listening.ended).code).toBe(0);
      expect(receiver.requests.filter((each) => each.path === '/restart')).toHaveLength(1);
    });

    it('states that nothing listens at the URL, and signs with a given secret', async () => {
      const url = `http://127.0.0.1:${await findFreePort()}/nobody`;
      const since = new Date().toISOString();
      await text('trigger');
      const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
      const args = [
        'listen',
        '--json',
        '--forward-to',
        url,
        '--since',
        since,
        '--interval',
        '100',
        '--max',
        '1',
      ];
      const { code, out } = await run(args, { PLIMSOLL_WEBHOOK_SECRET: secret });
      expect(code).toBe(0);
      expect(
        out
          .trimEnd()
          .split('\n')
          .map((line) => JSON.parse(line) as unknown),
      ).toEqual([
        { type: 'ready', secret },
        expect.objectContaining({
          type: 'event',
          event: 'test.ping',
          isTest: true,
          forwarded: { error: 'ECONNREFUSED', durationMs: expect.any(Number) },
        }),
      ]);
    });

    it('shows deliveries, and repeats a failed one', async () => {
      receiver.respondWith(() => ({ status: 500, body: `${ESCAPE}[31mno` }));
      const failed = await run(['trigger']);
      expect([failed.code, failed.out]).toEqual([1, expect.stringContaining('status 500')]);
      const [, id = ''] = /\((del_\w+)\)/.exec(failed.out) ?? [];
      expect(await text('deliveries', '--state', 'failed')).toContain(id);
      const shown = await text('deliveries', 'show', id);
      expect(shown).toContain('\u{fffd}[31mno');
      expect(shown).not.toContain(ESCAPE);
      receiver.respondWith(() => ({ status: 200 }));
      expect(await text('deliveries', 'retry', id)).toMatch(new RegExp(`^${id} is `));
      await waitFor(async () => (await client.deliveries.get({ id })).delivery.state === 'delivered', {
        message: 'the delivery is repeated',
      });
    });
  });

  it('pauses, resumes and deletes a rule', async () => {
    const { rule } = await client.rules.create({
      name: 'guard',
      positionId,
      conditionType: 'health_factor_below',
      conditionValue: 1.01,
      actionType: 'alert',
    });
    expect(await text('rules', 'pause', rule.id)).toBe('guard is paused.\n');
    expect(await text('rules')).toMatch(
      new RegExp(`^${rule.id} +paused +guard +health_factor_below 1.01`, 'm'),
    );
    await text('rules', 'resume', rule.id);
    await text('rules', 'delete', rule.id);
    expect(await text('rules')).toBe('There is no rule.\n');
    expect(await text('rules', 'executions')).toBe('No rule has fired.\n');
  });

  it('tails a stream over an interruption, and lists the alerts that follow', async () => {
    const tailing = cli.start(['streams', 'tail', '--max', '2'], environment);
    await waitFor(() => tailing.lines.some((line) => line.startsWith('now ')), { message: 'the snapshot' });
    let usd = SEEDED_USD;
    const fall = (): Promise<unknown> => setPrice(platform.rpcUrl, platform.devnet, 'WETH', (usd *= 0.97));
    const changes = (): number => tailing.lines.filter((line) => /^\d{4}-/.test(line)).length;
    for (const count of [1, 2]) {
      await waitFor(
        async () => {
          await fall();
          return changes() >= count;
        },
        { message: `change ${count}`, intervalMs: 1_000 },
      );
      proxy.cutStreams();
    }
    expect((await tailing.ended).code).toBe(0);
    await setPrice(platform.rpcUrl, platform.devnet, 'WETH', SEEDED_USD * 0.5);
    // A warning of a smaller fall resolves when the alert of a greater danger replaces it.
    const { id } = await waitFor(
      async () => (await client.alerts.list({ status: 'active', type: 'liquidation_risk' })).alerts[0],
      { message: 'an alert' },
    );
    const { alerts } = await json<{ alerts: { id: string }[] }>('alerts', '--status', 'active');
    expect(alerts.map((alert) => alert.id)).toContain(id);
    expect(await text('alerts')).toContain(id);
    await text('alerts', 'acknowledge', id);
    expect(await text('alerts')).toMatch(/, seen +/);
    await text('alerts', 'snooze', id, '--minutes', '60');
    expect(await text('alerts')).toMatch(/, seen, snoozed +/);
    await text('alerts', 'mute', id);
    expect(await text('alerts')).toMatch(/, seen, muted +/);
    await text('alerts', 'unmute', id);
    expect(await text('alerts')).toMatch(/, seen +/);
  });

  describe('failures', () => {
    it.each([
      [2, ['nothing']],
      [2, ['positions', '--limit', '0']],
      [3, ['usage'], { PLIMSOLL_API_KEY: 'pk_wrong' }],
      [3, ['usage'], { PLIMSOLL_API_KEY: '' }],
      [5, ['positions', 'show', 'pos_0000000000000000000000']],
      [6, ['positions', '--wallet', 'nobody']],
      [8, ['usage'], { PLIMSOLL_URL: 'http://127.0.0.1:9' }],
    ] as [number, string[], Record<string, string>?][])(
      'exits with %d for %j',
      async (code, args, env = {}) => {
        const finished = await run(args, env);
        expect([finished.code, finished.out]).toEqual([code, '']);
        expect(finished.errors).toMatch(/^error: /);
      },
    );

    it('exits with 4 where the tier is too low, and 7 at a limit', async () => {
      const open = { PLIMSOLL_API_KEY: await platform.createKey('open') };
      const refused = await run(['alerts', '--json'], open);
      expect(refused.code).toBe(4);
      expect(JSON.parse(refused.errors)).toEqual({
        error: expect.objectContaining({ code: 'tier_required', status: 403, requiredTier: 'pro' }),
      });
      proxy.faults.push('limited', 'limited', 'limited', 'limited');
      expect((await run(['usage'])).code).toBe(7);
    });
  });

  for (const shell of COMPLETION_SHELLS)
    it(`completes commands and options in ${shell}`, async () => {
      await writeFile(path.join(folder, '_plimsoll'), await text('completion', 'zsh'));
      const { out, errors } = await cli.spawn(shell, ['-c', COMPLETIONS[shell]!], {
        ...environment,
        HOME: folder,
        FUNCTIONS: folder,
      }).ended;
      expect([out, errors]).toEqual(['monte-carlo\nalerts\n--forward-to\n', '']);
    });

  describe('the commands of its README', () => {
    it('are all known to these tests', () => {
      expect([...SNIPPETS.keys()].sort()).toEqual(['listen', 'mcp', 'quickstart']);
    });

    it('quickstart: stores a key, and prints positions', async () => {
      const script = SNIPPETS.get('quickstart')!.text.replace('0x…', borrower);
      const own = { ...environment, PLIMSOLL_PROFILES: path.join(folder, 'readme/profiles.json') };
      const { code, out, errors } = await cli.spawn('sh', ['-ec', script], own).ended;
      expect([code, errors]).toEqual([0, '']);
      expect(out).toContain(positionId);
      expect((await stat(own.PLIMSOLL_PROFILES)).mode & 0o777).toBe(0o600);
    });

    it('listen: forwards the event that trigger sends', async () => {
      const { webhook } = await client.webhooks.create({
        url: `${receiver.url}/readme-endpoint`,
        events: ['alert.created'],
      });
      const [listen = '', trigger = ''] = SNIPPETS.get('listen')!.text.trimEnd().split('\n');
      const url = `${receiver.url}/readme`;
      const command = `${listen.replace('http://127.0.0.1:3000/hook', url)} --interval 100 --max 1`;
      const listening = cli.spawn('sh', ['-ec', command], environment);
      await waitFor(() => listening.errors().includes('Ready.'), { message: 'it listens' });
      const triggered = await cli.spawn('sh', ['-ec', `${trigger} --webhook ${webhook.id}`], environment)
        .ended;
      expect([triggered.code, triggered.errors]).toEqual([0, '']);
      expect((await listening.ended).code).toBe(0);
      const [secret = ''] = /whsec_\S+/.exec(listening.errors()) ?? [];
      const forwarded = receiver.requests.filter((each) => each.path === '/readme');
      expect(forwarded).toHaveLength(1);
      const event = await webhooks.verify(forwarded[0]!.body, forwarded[0]!.headers, secret);
      expect(event.event).toBe('alert.created');
      await client.webhooks.delete({ id: webhook.id });
    });
  });
});
