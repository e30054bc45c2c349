import type { Socket } from 'node:net';
import type { Readable } from 'node:stream';

const END_OF_CHUNKS = '0\r\n\r\n';

/**
 * Sends a body after its head, as fast as the service reads it.
 * @param isChunked its length was not known in advance
 * @param onEnd called once, with an error when the body ended early
 */
export function sendBody(
  socket: Socket,
  body: Readable,
  isChunked: boolean,
  onEnd: (error?: Error) => void,
): void {
  const resume = (): void => void body.resume();
  let isOver = false;
  const end = (error?: Error): void => {
    if (isOver) return;
    isOver = true;
    socket.off('drain', resume);
    if (!error && isChunked) socket.write(END_OF_CHUNKS, 'latin1');
    onEnd(error);
  };
  socket.on('drain', resume);
  body.on('data', (piece: Buffer) => {
    if (isOver || socket.destroyed) return;
    socket.cork();
    if (isChunked) socket.write(`${piece.length.toString(16)}\r\n`, 'latin1');
    let isTaken = socket.write(piece);
    if (isChunked) isTaken = socket.write('\r\n', 'latin1');
    socket.uncork();
    if (!isTaken) body.pause();
  });
  body.on('end', () => end());
  body.on('error', end);
  body.on('close', () => end(new Error('the body ended early')));
}
