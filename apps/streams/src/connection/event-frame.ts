import type { StreamEvent } from '../log/stream-event';
import { EncodedFrame } from './encoded-frame';

/** An event for clients, with the data that a backlog needs. */
export class EventFrame extends EncodedFrame {
  private conflatedFrame: EncodedFrame | undefined;

  /**
   * @param cursor a client with this frame has everything before it
   * @param cursorBefore a client without this frame, but with everything sent before it
   */
  constructor(
    readonly event: StreamEvent,
    readonly cursor: string,
    readonly cursorBefore: string,
  ) {
    super('event', `{"type":"event","cursor":"${cursor}",${event.body}`);
  }

  /** The frame for a client that skips the earlier states. */
  get conflated(): EncodedFrame {
    return (this.conflatedFrame ??= new EncodedFrame(
      'event',
      `{"type":"event","conflated":true,"cursor":"${this.cursor}",${this.event.body}`,
    ));
  }
}
