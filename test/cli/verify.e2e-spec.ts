import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Receipt } from '@plimsoll/receipts';
import type { Verification } from '@plimsoll/sdk/verify';
import { MadeLog } from '../receipts/log-cases';
import { forecastReceipt } from '../receipts/made-forecasts';
import { firstReading } from '../receipts/made-crossings';
import { type MadeReceipt, Signer, recordedReceipts } from '../receipts/made-receipts';
import { simulationReceipt, simulationTask } from '../receipts/made-simulations';
import { RecordedNode } from '../receipts/recorded-node';
import { textOf } from '../receipts/tamperings';
import { CliProgram, type Finished } from './cli-program';

/** The packed command line, with recorded genuine contracts as the node of the user. */
describe('plimsoll verify', () => {
  let cli: CliProgram;
  let node: RecordedNode;
  let folder: string;
  let made: MadeReceipt;
  let log: MadeLog;
  const signer = new Signer();
  const responses = new Map<string, unknown>([['/.well-known/plimsoll-keys.json', { keys: [signer.key] }]]);
  const server = createServer((request, response) => {
    const body = responses.get(request.url ?? '');
    response
      .writeHead(body ? 200 : 404, { 'content-type': 'application/json' })
      .end(JSON.stringify(body ?? {}));
  });

  beforeAll(async () => {
    cli = await CliProgram.pack();
    node = await RecordedNode.start();
    folder = await mkdtemp(path.join(tmpdir(), 'plimsoll-verify-'));
    const receipts = await recordedReceipts(signer, node.url);
    const first = receipts.findIndex(({ name }) => name.startsWith('aave-v3/'));
    made = receipts[first]!;
    log = new MadeLog(
      signer,
      receipts.slice(first, first + 20).map(({ receipt }) => receipt),
    );
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    await save('keys.json', JSON.stringify({ keys: [signer.key] }));
    await save('receipt.json', textOf(made.receipt));
  }, 300_000);

  afterAll(async () => {
    server.closeAllConnections();
    server.close();
    await cli?.remove();
    await node?.close();
    if (folder) await rm(folder, { recursive: true, force: true });
  });

  const fileOf = (name: string): string => path.join(folder, name);
  const save = (name: string, text: string): Promise<void> => writeFile(fileOf(name), text);

  function verify(args: string[], { input = '', keys = fileOf('keys.json') } = {}): Promise<Finished> {
    const env = { PLIMSOLL_PROFILES: fileOf('none.json') };
    return cli.start(['verify', ...args, '--keys', keys], env, input).ended;
  }

  /** Verifies a changed receipt whose signature is valid. */
  async function tampered(
    outputs: Partial<Receipt['content']['outputs']>,
    ...args: string[]
  ): Promise<Finished> {
    const { content } = made.receipt;
    const changed = { ...content, outputs: { ...content.outputs, ...outputs } };
    return verify(['-', '--rpc', made.rpcUrl, ...args], { input: textOf(signer.sign(changed)) });
  }

  it('prints each step and that a receipt is equal to the wei', async () => {
    const { code, out, errors } = await verify([fileOf('receipt.json'), '--rpc', made.rpcUrl]);
    expect([code, errors]).toEqual([0, '']);
    const lines = out.split('\n');
    expect(lines.slice(0, 7).map((line) => line.split(/\s+/).slice(0, 2))).toEqual(
      ['form', 'hash', 'signature', 'block', 'calls', 'figures', 'liquidation'].map((step) => ['ok', step]),
    );
    expect(lines[8]).toBe('equal to the wei');
  });

  it('names the first difference, what it means and what to do next', async () => {
    const { code, out, errors } = await tampered({ totalDebt: '1' });
    expect([code, errors]).toEqual([1, '']);
    const [step, blank, name, meaning, next] = out.split('\n').slice(5);
    expect(step).toMatch(/^differs {2}figures {4}totalDebt is 1, the calls give [0-9]+$/);
    expect([blank, name, meaning]).toEqual([
      '',
      'output_differs',
      'A total or the health factor is not what the formula gives.',
    ]);
    expect(next).toContain('do not rely on the receipt');
  });

  it.each(['fhs', 'gbm'] as const)('runs a simulation with %s again in its own process', async (model) => {
    const receipt = simulationReceipt(signer, simulationTask(model));
    const { code, out, errors } = await verify(['-'], { input: textOf(receipt) });
    expect([code, errors]).toEqual([0, '']);
    expect(out.split('\n').at(-3)).toBe('equal to the bit');
    const { content, data } = receipt;
    const outputs = { ...content.outputs, liquidationProbability: '0' };
    const input = textOf({ ...signer.sign({ ...content, outputs }), data });
    const changed = await verify(['-'], { input });
    expect([changed.code, changed.out]).toEqual([1, expect.stringContaining('rerun_differs')]);
  });

  it('verifies the readings of a crossing and names it', async () => {
    const { content } = firstReading(made);
    const { code, out, errors } = await verify(['-', '--rpc', made.rpcUrl], {
      input: textOf(signer.sign(content)),
    });
    expect([code, errors]).toEqual([0, '']);
    const { level, block } = content.after;
    const lines = out.split('\n');
    expect(lines.slice(3, 6).map((line) => line.split(/\s+/).slice(0, 2))).toEqual(
      ['block', 'figures', 'crossing'].map((step) => ['ok', step]),
    );
    expect(lines[5]).toContain(`(${level}) at block ${block.number}, the first reading`);
    expect(lines[7]).toBe('equal to the wei');
    const after = { ...content.after, level: 'critical' as const };
    const changed = await verify(['-', '--rpc', made.rpcUrl], {
      input: textOf(signer.sign({ ...content, after })),
    });
    expect([changed.code, changed.out]).toEqual([1, expect.stringContaining('level_differs')]);
    const proofs = await verify(['-', '--rpc', made.rpcUrl, '--proof'], {
      input: textOf(signer.sign(content)),
    });
    expect([proofs.code, proofs.out]).toEqual([9, expect.stringContaining('no proofs of storage yet')]);
  });

  it('prints JSON for programs', async () => {
    const { code, out } = await tampered({ totalDebt: '1' }, '--json');
    expect(code).toBe(1);
    const outcome = JSON.parse(out) as Verification & { next: string };
    expect(outcome).toMatchObject({ code: 'output_differs', isRead: true, isRecomputed: false });
    expect(outcome.steps.map(({ ok }) => ok)).toEqual([true, true, true, true, true, false]);
    expect(outcome.next).toContain('do not rely on the receipt');
    const equal = await verify([fileOf('receipt.json'), '--rpc', made.rpcUrl, '--json']);
    expect(JSON.parse(equal.out)).toMatchObject({ code: null, isRead: true, isRecomputed: true, next: null });
  });

  it('ends with 9 where nothing differs but not everything was verified', async () => {
    const { code, out } = await verify([fileOf('receipt.json')]);
    expect([code, out]).toEqual([9, expect.stringContaining('Name yours with --rpc')]);
    const full = await verify(['-'], { input: textOf({ ...made.receipt, results: made.results }) });
    expect([full.code, full.out]).toEqual([9, expect.stringContaining('ok       figures')]);
  });

  it('wants a node for proofs, and names one that states half a header', async () => {
    const missing = await verify([fileOf('receipt.json'), '--proof']);
    expect([missing.code, missing.errors]).toEqual([2, expect.stringContaining('--rpc')]);
    const { code, out } = await verify([fileOf('receipt.json'), '--rpc', made.rpcUrl, '--proof']);
    expect([code, out]).toEqual([1, expect.stringContaining('header_differs')]);
  });

  it('reads the keys of the server, and of a URL', async () => {
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const env = { PLIMSOLL_PROFILES: fileOf('none.json'), PLIMSOLL_URL: `${url}/v1` };
    const args = ['verify', fileOf('receipt.json'), '--rpc', made.rpcUrl];
    expect((await cli.start(args, env).ended).code).toBe(0);
    expect((await verify(args.slice(1), { keys: `${url}/.well-known/plimsoll-keys.json` })).code).toBe(0);
    const missing = await verify(args.slice(1), { keys: `${url}/other` });
    expect([missing.code, missing.errors]).toEqual([8, expect.stringContaining('status 404')]);
  });

  it('distinguishes what it cannot read from what differs', async () => {
    await save('no-keys.json', '{"keys":[{"id":"a"}]}');
    const args = [fileOf('receipt.json'), '--rpc', made.rpcUrl];
    expect((await verify(args, { keys: fileOf('no-keys.json') })).code).toBe(2);
    expect((await verify([fileOf('absent.json')])).code).toBe(2);
    const unreachable = await verify([fileOf('receipt.json'), '--rpc', 'http://127.0.0.1:1']);
    expect([unreachable.code, unreachable.out]).toEqual([8, expect.stringContaining('node_failed')]);
  });

  it('checks that the log of the server has the receipt, and continues a root that was kept', async () => {
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const env = {
      PLIMSOLL_PROFILES: fileOf('none.json'),
      PLIMSOLL_URL: `${url}/v1`,
      PLIMSOLL_API_KEY: 'key',
    };
    const run = (...more: string[]): Promise<Finished> =>
      cli.start(['verify', fileOf('receipt.json'), '--rpc', made.rpcUrl, ...more], env).ended;
    const leaf = Buffer.from(log.leaves[0]!).toString('hex');
    await save('root.json', JSON.stringify(log.root(7)));
    responses.set(`/v1/receipts/inclusion?leaf=${leaf}`, log.inclusion(0, 20));
    responses.set('/v1/receipts/consistency?earlier=7', log.consistency(7, 20));
    const both = await run('--inclusion', '--since', fileOf('root.json'));
    expect([both.code, both.errors]).toEqual([0, '']);
    expect(both.out).toContain(
      'ok       inclusion    place 0 of 20, in a root signed 600 s after the receipt',
    );
    expect(both.out).toContain('ok       consistency  the log grew from 7 to 20 receipts');
    responses.set('/v1/receipts/consistency?earlier=7', { ...log.consistency(7, 20), proof: [] });
    const changed = await run('--since', fileOf('root.json'));
    expect([changed.code, changed.out]).toEqual([1, expect.stringContaining('not_consistent')]);
    responses.delete(`/v1/receipts/inclusion?leaf=${leaf}`);
    expect((await run('--inclusion')).code).toBe(5);
    expect((await run('--since', fileOf('receipt.json'))).code).toBe(2);
  });

  it('verifies a forecast by the log, which shows that it is older than its end', async () => {
    const forecast = forecastReceipt(signer);
    const own = new MadeLog(signer, [...log.receipts, forecast]);
    await save('forecast.json', textOf(forecast));
    const alone = await verify([fileOf('forecast.json')]);
    expect([alone.code, alone.out]).toEqual([9, expect.stringContaining('Add --inclusion')]);
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const env = {
      PLIMSOLL_PROFILES: fileOf('none.json'),
      PLIMSOLL_URL: `${url}/v1`,
      PLIMSOLL_API_KEY: 'key',
    };
    const leaf = Buffer.from(own.leaves.at(-1)!).toString('hex');
    responses.set(
      `/v1/receipts/inclusion?leaf=${leaf}`,
      own.inclusion(own.leaves.length - 1, own.leaves.length),
    );
    const logged = await cli.start(['verify', fileOf('forecast.json'), '--inclusion'], env).ended;
    expect([logged.code, logged.errors]).toEqual([0, '']);
    expect(logged.out).toContain('0.0312 in 7 d');
    expect(logged.out).toContain('logged before its end');
  });

  it('prints nothing that a terminal obeys', async () => {
    const { signature } = made.receipt;
    const input = textOf({ ...made.receipt, signature: { ...signature, keyId: '\u001b[2J' } });
    const { code, out } = await verify(['-'], { input });
    expect([code, out.includes('\u001b'), out.includes('�[2J')]).toEqual([1, false, true]);
  });
});
