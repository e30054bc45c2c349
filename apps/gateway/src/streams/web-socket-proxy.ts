import { type ClientRequest, type IncomingMessage, request as httpRequest } from 'node:http';
import { request as httpsRequest } from 'node:https';
import type { Duplex } from 'node:stream';
import { TLSSocket } from 'node:tls';
import { type BeforeApplicationShutdown, Injectable, Logger } from '@nestjs/common';
import { Problem } from '@plimsoll/contracts';
import { GatewayConfig } from '../config';
import type { Admitted, TicketHolder } from '../pipeline/admission/admission';
import { clientHeaders } from '../pipeline/forwarding/client-headers';
import { passedHeaders, serviceHeaders } from '../pipeline/forwarding/forwarded-headers';
import { RequestSigner } from '../pipeline/forwarding/request-signer';
import type { Upstream, UpstreamAddress, UpstreamName } from '../pipeline/forwarding/upstream';
import { tlsFault } from '../pipeline/forwarding/tls-fault';
import {
  failed,
  isPassable,
  isUnreachable,
  timedOut,
  unavailable,
  upstreamProblem,
} from '../pipeline/forwarding/upstream-problem';
import { Upstreams } from '../pipeline/forwarding/upstreams';
import type { DecidedRequest } from '../pipeline/response/api-request';
import { headLines } from '../pipeline/response/head';
import { responseHeaders } from '../pipeline/response/response-headers';
import { sendProblem } from '../pipeline/response/send';
import { TestStreams } from './test-streams';

const INVALID_HANDSHAKE = new Problem(
  'invalid_request',
  'This is not a valid WebSocket handshake (RFC 6455, version 13). Correct it and send it again.',
);
/** The key of a handshake: 16 bytes as base64 (RFC 6455, 4.1). */
const HANDSHAKE_KEY = /^[A-Za-z0-9+/]{22}==$/;
const KEEP_ALIVE_MS = 30_000;
const HANDSHAKE = ['Connection', 'Upgrade', 'Upgrade', 'websocket'];

/** Progress of a handshake. */
interface Deadline {
  clear(): void;
  isConnecting: boolean;
  isPassed: boolean;
}

/**
 * Connects an admitted WebSocket client to the service: the handshake with the signed identity, then raw
 * sockets.
 */
@Injectable()
export class WebSocketProxy implements BeforeApplicationShutdown {
  private readonly logger = new Logger('streams');
  private readonly open = new Set<Duplex>();

  constructor(
    private readonly config: GatewayConfig,
    private readonly upstreams: Upstreams,
    private readonly signer: RequestSigner,
    private readonly testStreams: TestStreams,
  ) {}

  /** @param head bytes that the client sent after its handshake */
  connect(
    call: DecidedRequest,
    admitted: Admitted | TicketHolder,
    service: UpstreamName,
    head: Buffer,
  ): void {
    const invalid = handshakeProblem(call.request);
    if (invalid) return sendProblem(call, invalid);
    const upstream = this.upstreams.all[service];
    const address = upstream.pick(performance.now(), true);
    if (!address) return sendProblem(call, unavailable());
    this.shake(call, admitted, upstream, address, head, true);
  }

  private shake(
    call: DecidedRequest,
    admitted: Admitted | TicketHolder,
    upstream: Upstream,
    address: UpstreamAddress,
    head: Buffer,
    mayRetry: boolean,
  ): void {
    const handshake = this.handshake(call, admitted, upstream, address.origin);
    const deadline = this.deadlines(handshake);
    let hasLeft = false;
    const left = (): void => {
      hasLeft = true;
      handshake.destroy();
    };
    call.request.socket.once('close', left);
    const settle = (): void => {
      deadline.clear();
      call.request.socket.off('close', left);
    };
    handshake.once('upgrade', (received, socket: Duplex, early: Buffer) => {
      settle();
      upstream.succeeded(address, false, performance.now());
      this.join(call, received, socket, head, early);
      if (admitted.key?.testOf !== undefined) this.testStreams.watch(call.request, socket);
    });
    handshake.once('response', (received) => {
      settle();
      upstream.succeeded(address, false, performance.now());
      this.refuse(call, admitted, received);
    });
    handshake.once('error', (error) => {
      settle();
      if (hasLeft) return;
      const nowMs = performance.now();
      const bytesRead = deadline.isConnecting ? undefined : handshake.socket?.bytesRead;
      const fault = tlsFault(error, address.origin, bytesRead);
      if (fault) {
        upstream.misconfigured(address, nowMs, fault, error);
        return sendProblem(call, failed(error));
      }
      const isUnreached = isUnreachable(error) || deadline.isConnecting;
      if (isUnreached) upstream.eject(address, nowMs);
      const other = isUnreached && mayRetry ? upstream.pickOther(address, nowMs) : undefined;
      if (other) return this.shake(call, admitted, upstream, other, head, false);
      upstream.failed(address, nowMs, deadline.isPassed && !isUnreached);
      this.fail(call, problemOf(error, deadline));
    });
    handshake.end();
  }

  /** Nest waits for every connection of the server. Upgraded ones end here. */
  beforeApplicationShutdown(): void {
    for (const socket of this.open) socket.end();
  }

  private handshake(
    call: DecidedRequest,
    admitted: Admitted | TicketHolder,
    { name }: Upstream,
    origin: string,
  ): ClientRequest {
    const { host, protocol } = new URL(origin);
    const send = protocol === 'https:' ? httpsRequest : httpRequest;
    return send(new URL(origin), {
      ...this.upstreams.tls,
      path: call.request.url ?? '',
      agent: false,
      headers: ['Host', host, ...HANDSHAKE, ...this.signer.headersFor(call, admitted, name)],
    });
  }

  private deadlines(handshake: ClientRequest): Deadline {
    let timer: NodeJS.Timeout;
    let late: NodeJS.Immediate | undefined;
    const wait = (ms: number): void => {
      timer = setTimeout(() => {
        // One more turn of the event loop: the service may have responded while this process was late.
        late = setImmediate(() => {
          deadline.isPassed = true;
          handshake.destroy(new Error('The stream service did not respond to the handshake in time.'));
        });
      }, ms);
    };
    const clear = (): void => {
      clearTimeout(timer);
      clearImmediate(late);
    };
    const deadline = { isConnecting: true, isPassed: false, clear };
    wait(this.config.UPSTREAM_CONNECT_DEADLINE_MS);
    handshake.once('socket', (socket) =>
      socket.once(socket instanceof TLSSocket ? 'secureConnect' : 'connect', () => {
        deadline.isConnecting = false;
        clear();
        wait(this.config.UPSTREAM_ANSWER_DEADLINE_MS);
      }),
    );
    return deadline;
  }

  private join(
    call: DecidedRequest,
    received: IncomingMessage,
    upstream: Duplex,
    head: Buffer,
    early: Buffer,
  ): void {
    const { request, response, decision, correlation } = call;
    const client = request.socket;
    response.detachSocket(client);
    if (client.destroyed) {
      upstream.destroy();
      return;
    }
    client.setTimeout(0).setNoDelay(true).setKeepAlive(true, KEEP_ALIVE_MS);
    this.open.add(client);
    client.once('close', () => this.open.delete(client));
    const headers = [
      ...HANDSHAKE,
      ...passedHeaders(received.rawHeaders, serviceHeaders(received.rawHeaders)),
      ...responseHeaders(decision, correlation.requestId),
    ];
    client.write(`HTTP/1.1 101 Switching Protocols\r\n${headLines(headers)}\r\n`, 'latin1');
    if (early.length > 0) client.write(early);
    if (head.length > 0) upstream.write(head);
    pipeSockets(client, upstream);
  }

  private refuse(call: DecidedRequest, { key }: Admitted | TicketHolder, received: IncomingMessage): void {
    const status = received.statusCode ?? 0;
    // The service decides about a ticket, so its 401 concerns the client.
    const isItsTicket = status === 401 && key === null;
    if (status < 400 || !(isItsTicket || isPassable(status, received.headers['content-type']))) {
      received.resume();
      // The service checks the rest of a handshake, such as its extensions.
      if (status === 400) return sendProblem(call, INVALID_HANDSHAKE);
      this.fail(call, failed(new Error(`the service returned ${status} to an upgrade`)));
      return;
    }
    const { rawHeaders } = received;
    call.response.writeHead(status, clientHeaders(call, status, rawHeaders, serviceHeaders(rawHeaders)));
    received.on('error', () => call.response.destroy()).pipe(call.response);
  }

  private fail(call: DecidedRequest, problem: Problem): void {
    const { requestId } = call.correlation;
    this.logger.warn({ msg: problem.code, service: 'streams', requestId, err: problem.options.cause });
    sendProblem(call, problem);
  }
}

function problemOf(error: Error, { isPassed, isConnecting }: Deadline): Problem {
  if (!isPassed) return upstreamProblem(error);
  return isConnecting ? unavailable(error) : timedOut(error);
}

/** After one side has ended, the other has this long to end. */
const HALF_CLOSED_MS = 5_000;

/**
 * Pipes two sockets into each other, each as fast as the other reads, until either ends or fails. Then both
 * close.
 */
function pipeSockets(one: Duplex, other: Duplex): void {
  for (const [from, to] of [
    [one, other],
    [other, one],
  ] as const) {
    from.pipe(to);
    from.on('error', () => to.destroy());
    from.on('close', () => {
      // Data before a clean end must still be sent.
      if (from.readableEnded) to.end();
      else to.destroy();
    });
    from.on('end', () => {
      const timer = setTimeout(() => to.destroy(), HALF_CLOSED_MS);
      to.once('close', () => clearTimeout(timer));
    });
  }
}

/** Returns the problem of an invalid WebSocket handshake, or undefined. */
function handshakeProblem({
  method,
  headers,
}: Pick<IncomingMessage, 'method' | 'headers'>): Problem | undefined {
  const isValid =
    method === 'GET' &&
    headers['sec-websocket-version'] === '13' &&
    HANDSHAKE_KEY.test(headers['sec-websocket-key'] ?? '');
  return isValid ? undefined : INVALID_HANDSHAKE;
}
