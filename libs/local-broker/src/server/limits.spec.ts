import { Readable } from 'node:stream';
import fc from 'fast-check';
import { Budget } from './budget';
import { FrameSizeError, readFrames } from './frames';
import { resolveOptions } from './options';

function framed(...bodies: Buffer[]): Buffer {
  return Buffer.concat(
    bodies.flatMap((body) => {
      const size = Buffer.alloc(4);
      size.writeInt32BE(body.length);
      return [size, body];
    }),
  );
}

async function collect(chunks: Buffer[], limit = 1_000): Promise<string[]> {
  const frames: string[] = [];
  const budget = new Budget(limit);
  for await (const frame of readFrames(Readable.from(chunks), budget, limit))
    frames.push(frame.toString('hex'));
  return frames;
}

describe('readFrames', () => {
  it('finds the requests however they are cut into chunks', async () => {
    const body = fc.uint8Array({ minLength: 1, maxLength: 50 }).map((bytes) => Buffer.from(bytes));
    await fc.assert(
      fc.asyncProperty(
        fc.array(body, { maxLength: 10 }),
        fc.integer({ min: 1, max: 70 }),
        async (bodies, chunkBytes) => {
          const bytes = framed(...bodies);
          const chunks = Array.from({ length: Math.ceil(bytes.length / chunkBytes) }, (_, at) =>
            bytes.subarray(at * chunkBytes, (at + 1) * chunkBytes),
          );
          expect(await collect(chunks)).toEqual(bodies.map((each) => each.toString('hex')));
        },
      ),
    );
  });

  it.each([[-1], [0], [1_001]])('refuses a size of %i', async (size) => {
    const bytes = Buffer.alloc(4);
    bytes.writeInt32BE(size);
    await expect(collect([bytes])).rejects.toThrow(FrameSizeError);
  });

  it('stops reading while the budget is exhausted, and returns what it acquired', async () => {
    const budget = new Budget(10);
    const first = readFrames(Readable.from([framed(Buffer.alloc(8))]), budget, 10);
    const second = readFrames(Readable.from([framed(Buffer.alloc(8))]), budget, 10);
    await first.next();
    let arrived = false;
    const waiting = second.next().then(() => (arrived = true));
    await new Promise((resolve) => setImmediate(resolve));
    expect(arrived).toBe(false);
    await first.return();
    await waiting;
    expect(arrived).toBe(true);
  });
});

describe('Budget', () => {
  it('serves in order, so that a large request does not wait forever', async () => {
    const budget = new Budget(10);
    await budget.acquire(6);
    const order: string[] = [];
    const large = budget.acquire(8).then(() => order.push('large'));
    const small = budget.acquire(1).then(() => order.push('small'));
    await Promise.resolve();
    expect(order).toEqual([]);
    budget.release(6);
    await Promise.all([large, small]);
    expect(order).toEqual(['large', 'small']);
  });

  it('treats a request above the whole budget as the whole budget', async () => {
    const budget = new Budget(10);
    await budget.acquire(1_000);
    budget.release(1_000);
    await budget.acquire(10);
  });

  it('admits all waiting requests when it closes', async () => {
    const budget = new Budget(10);
    await budget.acquire(10);
    const waiting = budget.acquire(5);
    budget.close();
    await waiting;
  });
});

describe('resolveOptions', () => {
  it.each(['0.0.0.0', '::', '192.168.1.2', 'example.com', ''])('refuses to listen on "%s"', (host) => {
    expect(() => resolveOptions({ dataDir: 'data', host })).toThrow('listens on loopback addresses only');
  });

  it.each(['127.0.0.1', '::1', 'localhost'])('listens on %s', (host) => {
    expect(resolveOptions({ dataDir: 'data', host }).host).toBe(host);
  });

  it('names the option that cannot be used', () => {
    expect(() => resolveOptions({ dataDir: '' })).toThrow('dataDir is empty');
    expect(() => resolveOptions({ dataDir: 'data', port: 70_000 })).toThrow('port is 70000');
    expect(() => resolveOptions({ dataDir: 'data', maxConnections: 0 })).toThrow('maxConnections is 0');
    expect(() => resolveOptions({ dataDir: 'data', idleTimeoutMs: -1 })).toThrow('idleTimeoutMs is -1');
    expect(() => resolveOptions({ dataDir: 'data', maxInFlightBytes: 5 })).toThrow(
      'exceeds maxInFlightBytes',
    );
  });
});
