import { setImmediate as turn, setTimeout as delay } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import type { GapReason } from '@plimsoll/contracts';
import { Connections } from '../connection/connections';
import { EventFrame } from '../connection/event-frame';
import type { StreamConnection, Subscription } from '../connection/stream-connection';
import { LIMITS } from '../limits';
import { type StreamOffset, encodeCursor } from '../log/cursor';
import { History } from '../log/history';
import { Logs } from '../log/logs';
import type { StreamEvent } from '../log/stream-event';
import type { StreamLog } from '../log/stream-log';
import { resumes } from '../metrics';
import { Audience } from './audience';
import { ReplayLimiter } from './replay-limiter';
import { Snapshots } from './snapshots';

const AHEAD_POLL_MS = 20;

/**
 * Brings connections up to date. While one catches up, none of its subscriptions is live. It has a single
 * offset from which it receives what any of them matches, so that the cursor of each frame is true for the
 * whole connection.
 */
@Injectable()
export class Resumption {
  constructor(
    private readonly connections: Connections,
    private readonly logs: Logs,
    private readonly history: History,
    private readonly audience: Audience,
    private readonly snapshots: Snapshots,
  ) {}

  /** Starts a new subscription: from now on, or with the events after `since` first. */
  begin(subscription: Subscription, since: StreamOffset | null): void {
    const { connection } = subscription;
    if (since === null) this.restart(subscription);
    else {
      subscription.isResuming = true;
      const log = this.logs.of(connection.stream);
      log.expire(Date.now());
      const streamOffset = log.completed(since);
      const isPast = log.coverage(streamOffset) === 'past';
      if (isPast) this.abandon(subscription, 'window_passed');
      else this.resumeFrom(subscription, streamOffset);
    }
  }

  private restart(subscription: Subscription): void {
    const { connection } = subscription;
    subscription.from = this.logs.of(connection.stream).streamOffset;
    subscription.upTo = subscription.from;
    if (connection.streamOffset === null) this.connections.goLive(subscription);
    if (connection.stream === 'positions') void this.snapshots.send(connection, subscription);
  }

  private abandon(subscription: Subscription, reason: GapReason): void {
    const { connection } = subscription;
    connection.sendControl({ type: 'gap', id: subscription.id, reason });
    if (subscription.isResuming) this.sendResumed(subscription, false, reason);
    this.restart(subscription);
  }

  private resumeFrom(subscription: Subscription, since: StreamOffset): void {
    const { connection } = subscription;
    const wasLive = connection.streamOffset === null;
    const streamOffset = connection.streamOffset ?? this.logs.of(connection.stream).streamOffset;
    subscription.from = since;
    for (const other of connection.all()) {
      if (wasLive) this.connections.suspend(other);
      other.upTo = other === subscription ? since : later(other.upTo ?? [], streamOffset);
    }
    connection.streamOffset =
      wasLive && isOnly(connection, subscription) ? since : earlier(streamOffset, since);
    connection.rewinds += 1;
    if (wasLive) void this.catchUp(connection);
  }

  private async catchUp(connection: StreamConnection): Promise<void> {
    const log = this.logs.of(connection.stream);
    const seeks = new ReplayLimiter(log);
    try {
      await this.catchUpWith(connection, log, seeks);
    } finally {
      seeks.end();
    }
  }

  private async catchUpWith(
    connection: StreamConnection,
    log: StreamLog,
    seeks: ReplayLimiter,
  ): Promise<void> {
    const aheadSinceMs = performance.now();
    while (connection.isOpen && connection.streamOffset) {
      const coverage = log.coverage(connection.streamOffset);
      if (coverage === 'past') return this.abandonAll(connection, 'window_passed');
      if (coverage === 'log') {
        if (!seeks.mayBegin(connection)) return this.abandonAll(connection, 'too_much');
        const refused = await this.readMissed(connection, log);
        if (refused) return this.abandonAll(connection, refused);
        continue;
      }
      seeks.reached(connection.streamOffset);
      const events = log.after(connection.streamOffset, LIMITS.resumeChunk);
      const sent = this.sendEvents(connection, events);
      if (events.length === LIMITS.resumeChunk) await sent;
      else if (!log.isBehind(connection.streamOffset)) return this.finish(connection);
      else if (performance.now() - aheadSinceMs > LIMITS.aheadDeadlineMs) {
        return this.abandonAll(connection, 'unknown_cursor');
      } else await delay(AHEAD_POLL_MS);
    }
  }

  /** Reads from Kafka up to the beginning of memory. */
  private async readMissed(connection: StreamConnection, log: StreamLog): Promise<GapReason | null> {
    const from = connection.streamOffset ?? [];
    const to = later(from, log.starts);
    const { rewinds } = connection;
    const missed = await this.history.read(connection.stream, from, to);
    if ('refused' in missed) return missed.refused;
    for (let start = 0; start < missed.events.length; start += LIMITS.resumeChunk) {
      // Another subscription may start earlier. The read then begins again from there.
      if (!connection.isOpen || connection.rewinds !== rewinds) return null;
      await this.sendEvents(connection, missed.events.slice(start, start + LIMITS.resumeChunk));
    }
    if (connection.rewinds === rewinds) connection.streamOffset = later(connection.streamOffset ?? [], to);
    return null;
  }

  /** Sends the matching events that were not sent before. Resolves when they have left the process. */
  private async sendEvents(connection: StreamConnection, events: readonly StreamEvent[]): Promise<void> {
    let sent: Promise<void> | undefined;
    for (const event of events) {
      const before = connection.streamOffset ?? [];
      const after = [...before];
      after[event.partition] = event.offset + 1;
      connection.streamOffset = after;
      if (!isWanted(connection, event) || !this.audience.includes(connection.accountId, event)) continue;
      const cursors = [after, before].map((streamOffset) => encodeCursor(connection.stream, streamOffset));
      const frame = new EventFrame(event, ...(cursors as [string, string]));
      sent = new Promise((resolve) => connection.send(frame, resolve));
    }
    await (sent ?? turn());
  }

  private finish(connection: StreamConnection): void {
    connection.streamOffset = null;
    for (const subscription of connection.all()) {
      this.connections.goLive(subscription);
      if (subscription.isResuming) this.sendResumed(subscription, true, 'recovered');
    }
  }

  private sendResumed(subscription: Subscription, recovered: boolean, outcome: string): void {
    const { connection, id } = subscription;
    subscription.isResuming = false;
    resumes.inc({ stream: connection.stream, outcome });
    connection.sendControl({ type: 'resumed', id, recovered });
  }

  /** The connection cannot receive the missed events. Every subscription is notified and starts again. */
  private abandonAll(connection: StreamConnection, reason: GapReason): void {
    connection.streamOffset = null;
    for (const subscription of connection.all()) this.abandon(subscription, reason);
  }
}

/** Returns true for an event that a subscription has not received yet and matches. */
function isWanted(connection: StreamConnection, { partition, offset, subject }: StreamEvent): boolean {
  let wanted = false;
  for (const { from, upTo, filter } of connection.all()) {
    if (offset < (from[partition] ?? 0) || !filter.fits(subject)) continue;
    if (upTo && offset < (upTo[partition] ?? 0)) return false;
    wanted = true;
  }
  return wanted;
}

function isOnly(connection: StreamConnection, subscription: Subscription): boolean {
  const [first, second] = connection.all();
  return first === subscription && second === undefined;
}

const partitions = (a: StreamOffset, b: StreamOffset): number[] => [...(a.length > b.length ? a : b).keys()];

function earlier(a: StreamOffset, b: StreamOffset): StreamOffset {
  return partitions(a, b).map((partition) => Math.min(a[partition] ?? 0, b[partition] ?? 0));
}

function later(a: StreamOffset, b: StreamOffset): StreamOffset {
  return partitions(a, b).map((partition) => Math.max(a[partition] ?? 0, b[partition] ?? 0));
}
