import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { Injectable } from '@nestjs/common';
import { Problem } from '@plimsoll/contracts';
import { Identity } from '../identity';

const INTERVAL_MS = 1_000;

/**
 * Ends the open streams of test keys that were revoked or have expired. The streams service of a test market has topics of
 * its own, so it does not know that a key ended.
 */
@Injectable()
export class TestStreams {
  private readonly open = new Map<Duplex, IncomingMessage>();
  private timer: NodeJS.Timeout | undefined;

  constructor(private readonly identity: Identity) {}

  /** @param service the connection to the service, which ends with the key of the handshake */
  watch(handshake: IncomingMessage, service: Duplex): void {
    this.open.set(service, handshake);
    service.once('close', () => this.open.delete(service));
    this.timer ??= setInterval(() => void this.endRevoked(), INTERVAL_MS).unref();
  }

  private async endRevoked(): Promise<void> {
    for (const [service, handshake] of this.open) {
      // A lookup that fails says nothing about the key.
      const known = await Promise.resolve(this.identity.callerOf(handshake, () => true)).catch(() => null);
      if (known instanceof Problem && known.code === 'invalid_api_key') service.destroy();
    }
    if (this.open.size > 0) return;
    clearInterval(this.timer);
    this.timer = undefined;
  }
}
