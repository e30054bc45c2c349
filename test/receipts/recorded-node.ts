import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { workspaceRoot } from '@plimsoll/local-parts';

const READY_MS = 60_000;

/**
 * A node over HTTP that has the chains of recordings: the path of its URL names one. It is a process of its own, which
 * shares no memory with the one that makes receipts.
 */
export class RecordedNode {
  private constructor(
    private readonly child: ChildProcess,
    readonly url: string,
  ) {}

  static async start(): Promise<RecordedNode> {
    const main = path.join(__dirname, 'recorded-node-main.ts');
    const child = spawn(process.execPath, ['-r', '@swc-node/register', main], {
      cwd: workspaceRoot(),
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    try {
      const lines = createInterface({ input: child.stdout });
      const [url] = (await once(lines, 'line', { signal: AbortSignal.timeout(READY_MS) })) as [string];
      return new RecordedNode(child, url);
    } catch (error) {
      child.kill('SIGKILL');
      throw error;
    }
  }

  /** Differs from that of the tests. */
  get pid(): number | undefined {
    return this.child.pid;
  }

  async close(): Promise<void> {
    const ended = once(this.child, 'exit', { signal: AbortSignal.timeout(READY_MS) });
    this.child.kill('SIGKILL');
    await ended;
  }
}
