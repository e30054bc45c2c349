import { WebSocket } from 'ws';

const DEADLINE_MS = 30_000;
const USED = '(({ heapUsed, external }) => heapUsed + external)(process.memoryUsage())';

interface MemoryReply {
  id: number;
  result?: { result?: { value?: unknown } };
  error?: { message: string };
}

/** Reads the live memory of a Node process's main thread through its inspector. */
export class LiveMemory {
  #lastId = 0;

  private constructor(private readonly socket: WebSocket) {}

  /** @param port what the process was given with --inspect */
  static async connect(port: number): Promise<LiveMemory> {
    const signal = AbortSignal.timeout(DEADLINE_MS);
    const targets = (await (await fetch(`http://127.0.0.1:${port}/json/list`, { signal })).json()) as {
      webSocketDebuggerUrl: string;
    }[];
    const [main] = targets;
    if (!main) throw new Error(`the process on inspector port ${port} has no thread to ask`);
    const socket = new WebSocket(main.webSocketDebuggerUrl, { handshakeTimeout: DEADLINE_MS });
    await new Promise((resolve, reject) => socket.once('open', resolve).once('error', reject));
    return new LiveMemory(socket);
  }

  /** Used bytes of heap and of buffers, after a full garbage collection. */
  async bytes(): Promise<number> {
    // The first collection releases objects whose buffers the second one frees.
    await this.#request('HeapProfiler.collectGarbage', {});
    await this.#request('HeapProfiler.collectGarbage', {});
    const { result } = await this.#request('Runtime.evaluate', { expression: USED });
    if (typeof result?.result?.value !== 'number') throw new Error('the process did not report its memory');
    return result.result.value;
  }

  close(): void {
    this.socket.terminate();
  }

  #request(method: string, params: object): Promise<MemoryReply> {
    this.#lastId += 1;
    const id = this.#lastId;
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => reject(new Error(`${method} got no response`)), DEADLINE_MS);
      const take = (data: Buffer): void => {
        const answer = JSON.parse(data.toString()) as MemoryReply;
        if (answer.id !== id) return;
        clearTimeout(timer);
        this.socket.off('message', take);
        if (answer.error) reject(new Error(`${method}: ${answer.error.message}`));
        else resolve(answer);
      };
      this.socket.on('message', take);
      this.socket.send(JSON.stringify({ id, method, params }));
    });
  }
}
