import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';

const RUN_PART = path.join(__dirname, '../../../tools/run-part.cjs');
const START_MS = 30_000;

/** A broker in a process of its own, which a test may kill. */
export class BrokerProcess {
  #child: ChildProcess | undefined;
  #port = 0;

  private constructor(readonly dataDir: string) {}

  static async start(): Promise<BrokerProcess> {
    const broker = new BrokerProcess(await mkdtemp(path.join(tmpdir(), 'local-broker-')));
    await broker.start();
    return broker;
  }

  get url(): string {
    return `127.0.0.1:${this.#port}`;
  }

  get pid(): number {
    return this.#child?.pid ?? 0;
  }

  /** On the port of before, once there was one; resolves when the broker listens. */
  async start(): Promise<void> {
    const { child, line } = await runBroker(['--data-dir', this.dataDir, '--port', String(this.#port)]);
    this.#child = child;
    this.#port = Number(/:(\d+)$/.exec(line)?.[1]);
  }

  async kill9(): Promise<void> {
    await this.#end('SIGKILL');
  }

  /** Asks it to stop, as a parent does on every platform; resolves with its exit code. */
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

  async #end(signal: NodeJS.Signals): Promise<void> {
    const child = this.#child;
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const exited = once(child, 'exit');
    child.kill(signal);
    await exited;
  }
}

/** Resolves with its first line; rejects with what it complained of when it ends instead. */
export async function runBroker(args: string[]): Promise<{ child: ChildProcess; line: string }> {
  const child = spawn(process.execPath, [RUN_PART, 'local-broker', ...args], {
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
