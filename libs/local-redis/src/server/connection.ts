import type { Socket } from 'node:net';
import { RequestParser } from '../resp/request-parser';
import { type Push, RedisError, type Reply, encodeReply } from '../resp/reply';
import { Session, type SharedState } from './session';
import type { Subscriber } from './pub-sub';

/** A client with more unsent bytes than this is disconnected. */
const MOST_UNSENT_BYTES = 32 * 1_048_576;

/**
 * Handles the requests of a socket in order. Replies, and messages to other clients, are sent only after the
 * effects of the requests are in the file.
 * @param onDiskFailure is called when an effect cannot be stored; no reply is sent then
 */
export function serveConnection(
  id: number,
  socket: Socket,
  shared: SharedState,
  onDiskFailure: (error: Error) => void,
): void {
  const connection = new Connection(id, socket, shared);
  socket.on('data', (bytes: Buffer) => {
    const replies = connection.handle(bytes);
    try {
      shared.store.flush();
    } catch (error) {
      onDiskFailure(error as Error);
      return;
    }
    shared.pubSub.sendDelivered();
    connection.write(replies);
    if (connection.isEnding) socket.end();
  });
  socket.on('error', () => socket.destroy());
  socket.on('close', () => connection.close());
}

/** A socket with its session. */
class Connection implements Subscriber {
  private readonly session: Session;
  private readonly parser = new RequestParser();
  /** Replies and messages of the current requests, in order. Null: there are none. */
  private batch: string[] | null = null;
  /** Messages from requests of other clients, and their bytes. */
  private delivered: string[] = [];
  private deliveredBytes = 0;

  constructor(
    id: number,
    private readonly socket: Socket,
    shared: SharedState,
  ) {
    this.session = new Session(id, shared, this);
  }

  get isEnding(): boolean {
    return this.session.isQuitting || this.parser.failure !== null;
  }

  close(): void {
    this.session.close();
  }

  deliver(message: Push): void {
    const text = encodeReply(message, this.session.protocol);
    // A message from the connection's own request keeps its place among the replies.
    if (this.batch) {
      this.batch.push(text);
      return;
    }
    this.delivered.push(text);
    this.deliveredBytes += text.length;
    if (this.socket.writableLength + this.deliveredBytes > MOST_UNSENT_BYTES) this.socket.destroy();
  }

  sendDelivered(): void {
    const text = this.delivered.join('');
    this.delivered = [];
    this.deliveredBytes = 0;
    this.write(text);
  }

  /** Handles the complete requests. The caller writes the replies. */
  handle(bytes: Buffer): string {
    const batch: string[] = [];
    this.batch = batch;
    for (const request of this.parser.push(bytes)) {
      if (this.session.isQuitting) break;
      const reply = this.replyTo(request);
      if (reply !== undefined) batch.push(encodeReply(reply, this.session.protocol));
    }
    const { failure } = this.parser;
    if (failure) batch.push(encodeReply(new RedisError(`ERR ${failure.message}`), 2));
    this.batch = null;
    return batch.join('');
  }

  private replyTo(request: readonly string[]): Reply | undefined {
    try {
      return this.session.handle(request);
    } catch (error) {
      // An error in our code must not affect the other clients.
      return new RedisError(`ERR internal error: ${(error as Error).message}`);
    }
  }

  write(text: string): void {
    if (text === '' || this.socket.destroyed) return;
    this.socket.write(text, 'latin1');
    if (this.socket.writableLength > MOST_UNSENT_BYTES) this.socket.destroy();
  }
}
