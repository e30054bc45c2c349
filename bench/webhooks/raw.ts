import { forkSource, reply } from './receiver';

export interface RawCommand {
  url: string;
  body: string;
  connections: number;
  warmUp: number;
  count: number;
}

export interface RawMeasurement {
  perSecond: number;
  /** CPU of the sending process for one request, milliseconds. */
  cpuMs: number;
}

/** Warm raw undici with an HMAC, in a process of its own: the floor that the service is compared with. */
export async function measureRaw(url: string, body: string, count: number): Promise<RawMeasurement> {
  const child = forkSource('raw-process.ts');
  try {
    const command: RawCommand = { url, body, connections: 32, warmUp: Math.ceil(count / 2), count };
    const measurement = reply<RawMeasurement>(child, 120_000);
    child.send(command);
    return await measurement;
  } finally {
    child.kill('SIGKILL');
  }
}
