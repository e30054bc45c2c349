import { forkSource, reply } from './receiver';

export interface RawCommand {
  url: string;
  body: string;
  count: number;
  /** Requests begin evenly at this rate. Null: at full speed. */
  perSecond: number | null;
}

export interface RawMeasurement {
  perSecond: number;
  /** CPU of the sending process for one request, milliseconds. */
  cpuMs: number;
}

/** Raw undici with an HMAC, in a separate process: the lower bound for the service. */
export interface RawSender {
  /** @param perSecond absent: at full speed */
  send(count: number, perSecond?: number): Promise<RawMeasurement>;
  close(): void;
}

/** @param url of the receiver */
export function startRaw(url: string, body: string): RawSender {
  const child = forkSource('raw-process.ts');
  return {
    send: async (count, perSecond) => {
      const command: RawCommand = { url, body, count, perSecond: perSecond ?? null };
      const measurement = reply<RawMeasurement>(child, 120_000);
      child.send(command);
      return measurement;
    },
    close: () => void child.kill('SIGKILL'),
  };
}
