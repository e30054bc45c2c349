import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';

const RUN_PART = path.join(__dirname, '../../../tools/run-part.cjs');
const START_MS = 30_000;
/** The program under test, unless a test names another one with the same options and the same first line. */
const PROGRAM = [RUN_PART, 'local-broker'];

/** A broker in a separate process, which a test may kill. */
export class BrokerProcess {
  #child: ChildProcess | undefined;
  #port = 0;

  private constructor(
    readonly dataDir: string,
    private readonly program: readonly string[],
  ) {}

  static async start(program: readonly string[] = PROGRAM): Promise<BrokerProcess> {
    const broker = new BrokerProcess(await mkdtemp(path.join(tmpdir(), 'local-broker-')), program);
    await broker.start();
    return broker;
  }

  get url(): string {
    return `127.0.0.1:${this.#port}`;
  }

  get pid(): number {
    return this.#child?.pid ?? 0;
  }

  /** Keeps the port after the first start. Resolves when the broker listens. */
  async start(): Promise<void> {
    const { child, line } = await runBroker(this.#options, this.program);
    this.#child = child;
    this.#port = Number(/:(\d+)$/.exec(line)?.[1]);
  }

  /** Starts it and kills it after this time, ready or not. */
  async killedStart(afterMs: number): Promise<void> {
    this.#child = spawn(process.execPath, [...this.program, ...this.#options], { stdio: 'ignore' });
    await delay(afterMs);
    await this.kill9();
  }

  async kill9(): Promise<void> {
    await this.#end('SIGKILL');
  }

  /** Stops it in the way that works on every platform. Resolves with its exit code. */
  async stop(): Promise<number | null> {
    const child = this.#child;
    if (!child || child.exitCode !== null) return child?.exitCode ?? null;
    const exited = once(child, 'exit');
    child.send('stop');
    await exited;
    return child.exitCode;
  }

  async dispose(): Promise<void> {
    await this.#end('SIGKILL');
    await rm(this.dataDir, { recursive: true, force: true });
  }

  get #options(): string[] {
    return ['--data-dir', this.dataDir, '--port', String(this.#port)];
  }

  async #end(signal: NodeJS.Signals): Promise<void> {
    const child = this.#child;
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const exited = once(child, 'exit');
    child.kill(signal);
    await exited;
  }
}

/** Resolves with its first line. Rejects with its error output when it ends instead. */
export async function runBroker(
  args: readonly string[],
  program: readonly string[] = PROGRAM,
): Promise<{ child: ChildProcess; line: string }> {
  const child = spawn(process.execPath, [...program, ...args], {
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  const { stdout, stderr } = child;
  if (!stdout || !stderr) throw new Error('a broker without its output');
  let complaint = '';
  stderr.on('data', (chunk: Buffer) => (complaint += String(chunk)));
  const line = await new Promise<string>((resolve, reject) => {
    const timeout = setTimeout(() => {
      child.kill('SIGKILL');
      reject(new Error(`no line within ${START_MS} ms`));
    }, START_MS);
    createInterface({ input: stdout }).once('line', (first) => {
      clearTimeout(timeout);
      resolve(first);
    });
    child.once('close', (code) => {
      clearTimeout(timeout);
      reject(new Error(`code ${code}: ${complaint.trim()}`));
    });
  });
  return { child, line };
}
