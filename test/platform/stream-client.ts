import type { StreamServerFrame } from '@plimsoll/contracts';
import { waitFor } from '@plimsoll/testing';
import { WebSocket } from 'ws';

type FrameOf<T extends StreamServerFrame['type']> = Extract<StreamServerFrame, { type: T }>;

/** An open stream with every received frame and its time (performance.now()). */
export interface StreamClient {
  frames: { frame: StreamServerFrame; receivedAtMs: number }[];
  upgradeHeaders: Record<string, string | string[] | undefined>;
  /** The first frame of a type, past or future, that matches. */
  waitForFrame<T extends StreamServerFrame['type']>(
    type: T,
    fits?: (frame: FrameOf<T>) => boolean,
  ): Promise<FrameOf<T>>;
  close(): void;
}

/** Opens a stream and subscribes to everything that the account may see, or to what passes a filter. */
export async function openStream(url: string, key: string, filter?: object): Promise<StreamClient> {
  const frames: StreamClient['frames'] = [];
  let upgradeHeaders: StreamClient['upgradeHeaders'] = {};
  const socket = new WebSocket(url, { headers: { 'x-api-key': key }, handshakeTimeout: 10_000 });
  socket.on('upgrade', (response) => (upgradeHeaders = response.headers));
  socket.on('message', (data: Buffer) => {
    frames.push({ frame: JSON.parse(data.toString()) as StreamServerFrame, receivedAtMs: performance.now() });
  });
  await new Promise<void>((resolve, reject) => {
    socket.once('open', resolve);
    socket.once('error', reject);
  });
  const waitForFrame: StreamClient['waitForFrame'] = (type, fits = () => true) =>
    waitFor(
      () =>
        frames
          .map(({ frame }) => frame)
          .find(
            (frame): frame is FrameOf<typeof type> =>
              frame.type === type && fits(frame as FrameOf<typeof type>),
          ),
      { timeoutMs: 30_000, intervalMs: 5, message: `a ${type} frame on ${url}` },
    );
  await waitForFrame('welcome');
  socket.send(JSON.stringify({ type: 'subscribe', id: 'all', ...(filter && { filter }) }));
  const isAnswered = ({ frame: { type } }: StreamClient['frames'][number]): boolean =>
    type === 'subscribed' || type === 'error';
  await waitFor(() => frames.some(isAnswered), { timeoutMs: 30_000, message: `an answer on ${url}` });
  return { frames, upgradeHeaders, waitForFrame, close: () => socket.close() };
}
