import { setTimeout as delay } from 'node:timers/promises';
import { newId } from '@plimsoll/contracts';
import { outgoing } from '@plimsoll/event-bus';
import { type EventPublisher, identityHeaders, sampleWallet, sampleWatch } from '@plimsoll/testing';
import { benchPosition } from './message';
import { type StreamsParts, startStreams } from './streams-process';
import type { Contender } from './types';

/** Below the limit of 100 connections an account. */
const CONNECTIONS_PER_ACCOUNT = 95;
const POSITIONS = '/v1/streams/positions';
const HELLO = '{"type":"subscribe","id":"all"}';
const SOCKET_IO_HELLO = '42["subscribe",{"id":"all"}]';

/** The parts that ours needs. */
export interface OurParts extends StreamsParts {
  identityKeys: string;
  publisher: EventPublisher;
}

/** The account that connects. */
export interface OurAccount {
  id: string;
  /** Headers of connections through the gateway. Undefined: each connection has a signed identity. */
  headers?: Record<string, string>;
}

/** The number of accounts for a number of connections. */
export function accountsFor(connections: number): number {
  return Math.ceil(connections / CONNECTIONS_PER_ACCOUNT);
}

/**
 * Starts the built service with accounts that all watch one wallet. @param accounts default: accounts in
 * the form that the gateway signs
 */
export async function startOurs(
  parts: OurParts,
  connections: number,
  isSocketIo: boolean,
  accounts: readonly OurAccount[] = newAccounts(accountsFor(connections)),
): Promise<Contender & { operationsPort: number }> {
  const wallet = sampleWallet(1);
  const { identityKeys } = parts;
  await parts.publisher.publish(
    ...accounts.map(({ id }) => outgoing('wallet.v1', sampleWatch(id, wallet))),
    outgoing('position.v1', benchPosition(wallet, 1)),
  );
  const service = await startStreams(parts, identityKeys);
  // A state counts only when it is newer than the last one.
  let sequence = 1;
  const path = isSocketIo ? `${POSITIONS}/?EIO=4&transport=websocket` : POSITIONS;
  const request = { service: 'streams', method: 'GET', path };
  const headersOf = ({ id, headers }: OurAccount): Record<string, string> =>
    headers ?? identityHeaders(identityKeys, request, id);
  const next = (): number => (sequence += 1);
  return {
    pid: service.pid,
    operationsPort: service.operationsPort,
    target: {
      port: service.port,
      protocol: isSocketIo ? 'socket.io' : 'websocket',
      path,
      headers: Array.from({ length: connections }, (_, at) => headersOf(accounts[at % accounts.length]!)),
      greetings: [isSocketIo ? SOCKET_IO_HELLO : HELLO],
    },
    broadcast: (messagesPerSecond) => broadcast(parts.publisher, wallet, messagesPerSecond, next),
    end: service.end,
  };
}

function newAccounts(count: number): OurAccount[] {
  return Array.from({ length: count }, () => ({ id: newId('acc') }));
}

/**
 * Publishes states of one position, so many a second, until it is stopped. @param next sequence of the next
 * state
 */
export function broadcast(
  publisher: EventPublisher,
  wallet: string,
  messagesPerSecond: number,
  next: () => number,
): { stop(): Promise<void> } {
  const stopping = new AbortController();
  const publish = async (): Promise<void> => {
    const startedAtMs = performance.now();
    for (let sent = 1; !stopping.signal.aborted; sent += 1) {
      await publisher.publish(outgoing('position.v1', benchPosition(wallet, next())));
      const dueAtMs = startedAtMs + (sent * 1_000) / messagesPerSecond;
      await delay(Math.max(0, dueAtMs - performance.now()), undefined, { signal: stopping.signal }).catch(
        () => undefined,
      );
    }
  };
  const running = publish();
  return {
    stop: () => {
      stopping.abort();
      return running;
    },
  };
}
