import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { HostResolver } from '../src/outgoing/host-resolver';
import { judge } from '../src/ssrf/judge';
import { parseTarget } from '../src/ssrf/ssrf-command';

const ROOT = join(__dirname, '../../..');
const FILE = join(__dirname, 'ssrf-cases.jsonl');

interface Case {
  /** Verdict of the service. Null: allowed. */
  reason: string | null;
}
const cases = readFileSync(FILE, 'utf8')
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line) as Case);

describe('the addresses that webhooks may reach', () => {
  const closed = { cidrs: [], http: false };
  const dns = new HostResolver();

  it('are covered by at least 150 cases, including public ones', () => {
    expect(cases.length).toBeGreaterThanOrEqual(150);
    expect(cases.filter(({ reason }) => reason === null).length).toBeGreaterThanOrEqual(30);
  });

  it.each(cases)('%j', async (input) => {
    const target = parseTarget(input);
    expect(target && (await judge(target, dns, closed))).toEqual({
      verdict: input.reason === null ? 'allowed' : 'refused',
      reason: input.reason,
    });
  });
});

describe('npm run ssrf', () => {
  const run = (...args: string[]) =>
    promisify(execFile)(process.execPath, [join(ROOT, 'tools/ssrf.cjs'), ...args], { cwd: ROOT });

  it('prints a verdict for each line, in the order of the file', async () => {
    const { stdout } = await run(FILE);
    const printed = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Case);
    expect(printed).toEqual(
      cases.map((input) => ({
        input,
        verdict: input.reason === null ? 'allowed' : 'refused',
        reason: input.reason,
      })),
    );
  }, 60_000);

  it('accepts the ranges that a service may open', async () => {
    const { stdout } = await run(FILE, '--allow-cidrs', '127.0.0.0/8,::1/128', '--allow-http');
    const allowed = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { input: { url?: string }; reason: string | null })
      .filter(({ reason }) => reason === null)
      .map(({ input }) => input.url);
    expect(allowed).toEqual(expect.arrayContaining(['http://127.0.0.1/', 'https://localhost/']));
    expect(allowed).not.toContain('http://8.8.8.8/');
  }, 60_000);

  it('prints help, and ends with 1 for a missing file', async () => {
    expect((await run('--help')).stdout).toContain('usage: npm run ssrf -- FILE');
    await expect(run('no-such-file.jsonl')).rejects.toMatchObject({ code: 1 });
  }, 60_000);
});
