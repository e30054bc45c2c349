import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, statSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { createTestFolder, waitFor, type TestFolder } from '@plimsoll/testing';

jest.setTimeout(30_000);

/** Resolves packages from this repository, because the bundle is in another folder. */
const packageOf = (name: string): string => JSON.stringify(require.resolve(name));
const PROM_CLIENT = packageOf('prom-client');

let folder: TestFolder;
let running: ChildProcess | undefined;
let output: string;

beforeEach(async () => {
  folder = await createTestFolder();
  output = '';
});
afterEach(async () => {
  running?.kill('SIGKILL');
  await folder.remove();
});

/** Writes a bundle that behaves like a service, and returns its row of the input. */
async function service(name: string, body: string): Promise<{ file: string; env: Record<string, string> }> {
  const file = path.join(folder.path, `${name}.js`);
  await writeFile(file, `const { NAME, OWN = 'none' } = process.env;\n${body}`);
  return { file, env: { NAME: name, ...(name === 'first' && { OWN: 'of first' }) } };
}

function start(services: object[], env: NodeJS.ProcessEnv = {}): ChildProcess {
  const started = spawn(process.execPath, [path.join(__dirname, 'one-process.cjs')], {
    env: { ...process.env, ...env },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  started.stdin.end(JSON.stringify(services));
  started.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
  running = started;
  return started;
}

const keptIn = (compiled: string): string[] =>
  existsSync(compiled)
    ? readdirSync(compiled, { recursive: true, encoding: 'utf8' })
        .filter((name) => name.endsWith('.bundle'))
        .map((name) => path.join(compiled, name))
    : [];

const STOPS_AFTER = (ms: number): string => `
  const { Counter, register } = require(${PROM_CLIENT});
  new Counter({ name: 'same_name', help: 'a counter' }).inc();
  register.metrics().then((text) => console.log(NAME, OWN, /same_name 1/.test(text) ? 'own metrics' : 'foreign metrics'));
  const open = setInterval(() => undefined, 1_000);
  process.on('SIGTERM', () => setTimeout(() => { console.log(NAME, 'stopped'); process.exit(0); }, ${ms}));`;

/** Logs as a Nest application does: a line before its logger exists, one after it, one of nestjs-pino, one at the stop. */
const LOGS = `
  const { Logger } = require(${packageOf('@nestjs/common')});
  const { PinoLogger } = require(${packageOf('nestjs-pino')});
  Logger.attachBuffer();
  new Logger().log('early');
  const pino = new PinoLogger({ pinoHttp: { level: 'info', mixin: () => ({ mixinOf: NAME }) } });
  setTimeout(() => {
    Logger.overrideLogger({ log: (message) => console.log(NAME, message) });
    Logger.flush();
    new Logger().log('late');
    pino.info('of ' + NAME);
  }, 100);
  setInterval(() => undefined, 1_000);
  process.on('SIGTERM', () => { new Logger().log('stopping'); process.exit(0); });`;

describe('one process for several services', () => {
  it('gives each service its environment and its metrics, and ends when the last one has stopped', async () => {
    const child = start([await service('first', STOPS_AFTER(0)), await service('second', STOPS_AFTER(300))]);
    await waitFor(() => output.split('own metrics').length === 3, { message: 'both services run' });
    expect(output).toContain('first of first own metrics');
    expect(output).toContain('second none own metrics');
    child.kill('SIGTERM');
    expect(await once(child, 'exit')).toEqual([0, null]);
    expect(output).toMatch(/first stopped\nsecond stopped\n$/);
  });

  it('passes the variables of the whole process to each service', async () => {
    start([await service('first', 'console.log(NAME, process.env.WHOLE);')], {
      WHOLE: 'of all',
    });
    await waitFor(() => output.includes('\n'), { message: 'the service runs' });
    expect(output).toBe('first of all\n');
  });

  it('keeps the log lines of each service apart', async () => {
    const child = start([await service('first', LOGS), await service('second', LOGS)]);
    await waitFor(() => output.split('mixinOf').length === 3, { message: 'both services log' });
    child.kill('SIGTERM');
    await once(child, 'close');
    const lines = output.trim().split('\n');
    for (const name of ['first', 'second']) {
      const own = lines.filter((line) => line.startsWith(name));
      expect(own).toEqual(['early', 'late', 'stopping'].map((message) => `${name} ${message}`));
      expect(lines.filter((line) => line.includes(`"mixinOf":"${name}"`))).toEqual([
        expect.stringContaining(`"msg":"of ${name}"`),
      ]);
    }
  });

  it('loads a bundle with the code that its last start compiled, unless the bundle has changed', async () => {
    const compiled = path.join(folder.path, 'compiled');
    const run = async (text: string): Promise<void> => {
      output = '';
      const bundle = await service('first', `console.log('${text}'); setInterval(() => undefined, 1_000);`);
      const child = start([bundle], { NODE_COMPILE_CACHE: compiled });
      await waitFor(() => output.includes('\n'), { message: 'the service runs' });
      expect(output).toBe(`${text}\n`);
      await waitFor(() => keptIn(compiled).length === 1, { message: 'its code is kept', timeoutMs: 20_000 });
      child.kill('SIGKILL');
      await once(child, 'exit');
    };
    await run('one');
    const [kept = ''] = keptIn(compiled);
    const { mtimeMs } = statSync(kept);
    await run('one');
    expect([keptIn(compiled), statSync(kept).mtimeMs]).toEqual([[kept], mtimeMs]);
    // A text of the same length, which V8 would not notice.
    await run('two');
  });

  it('ends immediately when a service fails', async () => {
    const child = start([
      await service('first', STOPS_AFTER(0)),
      await service('second', 'setImmediate(() => process.exit(78));'),
    ]);
    expect(await once(child, 'exit')).toEqual([78, null]);
  });
});
