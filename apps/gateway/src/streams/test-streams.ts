import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { Injectable } from '@nestjs/common';
import { Problem } from '@plimsoll/contracts';
import { PeriodicService } from '@plimsoll/service-kit';
import { Identity } from '../identity';

/** A round begins within a second of the end of the one before: its delay is up to half longer. */
const ROUND_MS = 600;

/**
 * Ends the open streams of test keys that were revoked or have expired. The streams service of a test market has topics of
 * its own, so it does not know that a key ended.
 */
@Injectable()
export class TestStreams extends PeriodicService {
  private readonly open = new Map<Duplex, IncomingMessage>();

  constructor(private readonly identity: Identity) {
    super({
      name: 'test-streams',
      everyMs: ROUND_MS,
      failure: 'streams of ended test keys were not looked for; the next round tries again',
    });
  }

  /** @param service the connection to the service. It ends with the key of the handshake. */
  watch(handshake: IncomingMessage, service: Duplex): void {
    this.open.set(service, handshake);
    service.once('close', () => this.open.delete(service));
  }

  protected async round(): Promise<void> {
    for (const [service, handshake] of this.open) {
      // A lookup that fails says nothing about the key.
      const known = await Promise.resolve(this.identity.callerOf(handshake, () => true)).catch(() => null);
      if (known instanceof Problem && known.code === 'invalid_api_key') service.destroy();
    }
  }
}
