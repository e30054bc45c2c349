import type { StreamEvent } from '../log/stream-event';
import { EncodedFrame } from './encoded-frame';

/** An event on its way to clients: what is sent, and what a backlog needs to know of it. */
export class EventFrame extends EncodedFrame {
  private conflatedFrame: EncodedFrame | undefined;

  /**
   * @param cursor a client that got this has all that comes before it in the log
   * @param cursorBefore a client that did not get this, but all that was sent before it
   */
  constructor(
    readonly event: StreamEvent,
    readonly cursor: string,
    readonly cursorBefore: string,
  ) {
    super('event', `{"type":"event","cursor":"${cursor}",${event.body}`);
  }

  /** For a client that is not sent the states before this one. */
  get conflated(): EncodedFrame {
    return (this.conflatedFrame ??= new EncodedFrame(
      'event',
      `{"type":"event","conflated":true,"cursor":"${this.cursor}",${this.event.body}`,
    ));
  }
}
