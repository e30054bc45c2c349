import { type ChildProcess, fork } from 'node:child_process';
import path from 'node:path';

/** The task of a load client. */
export interface Load {
  /** Connections are spread over them. */
  ports: number[];
  path: string;
  headers: [string, string][];
  connections: number;
  seconds: number;
  /**
   * A fixed rate. Undefined: every connection sends its next request when it has the response to the last
   * one.
   */
  perSecond?: number;
}

export interface LoadResult {
  answers: number;
  elapsedMs: number;
  /** Responses by status. */
  statuses: Record<number, number>;
  latenciesMs: number[];
}

/** A load client in a separate process. */
export class LoadClient {
  private constructor(private readonly child: ChildProcess) {}

  static start(): LoadClient {
    const child = fork(path.join(__dirname, 'load-client.ts'), {
      execArgv: ['-r', '@swc-node/register'],
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    });
    return new LoadClient(child);
  }

  run(load: Load): Promise<LoadResult> {
    return new Promise((resolve, reject) => {
      const ended = (code: number | null): void => reject(new Error(`the load client ended with ${code}`));
      this.child.once('exit', ended);
      this.child.once('message', (result) => {
        this.child.off('exit', ended);
        resolve(result as LoadResult);
      });
      this.child.send(load);
    });
  }

  stop(): void {
    this.child.kill();
  }
}
