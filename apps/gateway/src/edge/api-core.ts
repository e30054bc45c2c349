import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { Injectable, Logger, type OnModuleInit } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { Problem } from '@plimsoll/contracts';
import { continueCorrelation, responseInProgress } from '@plimsoll/service-kit';
import { GatewayConfig } from '../config';
import { ClientAddresses } from '../limits/client-address';
import type { Caller } from '../identity';
import { CallsInFlight } from '../pipeline/forwarding/calls-in-flight';
import { hasBody } from '../pipeline/body/body-headers';
import { RequestBodies } from '../pipeline/body/request-bodies';
import { Forwarder } from '../pipeline/forwarding/forwarder';
import { whenOver } from '../pipeline/response/when-over';
import { RequestLog } from '../request-log/request-log';
import { LocalRoutes } from './local-routes';
import { WebSocketProxy } from '../streams/web-socket-proxy';
import {
  Admission,
  type Admitted,
  type Decided,
  type TicketHolder,
  serviceFor,
  whenKnown,
} from '../pipeline/admission/admission';
import { pathOf } from '../pipeline/admission/match-route';
import {
  type ApiRequest,
  decided,
  type DecidedRequest,
  measureRequest,
} from '../pipeline/response/api-request';
import { type Api, GatewayAdapter } from './gateway-adapter';
import { malformedProblem, requestProblem } from './malformed';
import { PortalOrigin } from './portal-origin';
import { failBody, responseOn } from '../pipeline/response/response-on';
import { sendJson, sendProblem } from '../pipeline/response/send';

const NO_BYTES = Buffer.alloc(0);

/** Handles every request of /v1 from its first to its last byte: decide, then respond, forward or pipe. */
@Injectable()
export class ApiCore implements Api, OnModuleInit {
  private readonly logger = new Logger('edge');

  constructor(
    private readonly config: GatewayConfig,
    private readonly adapterHost: HttpAdapterHost<GatewayAdapter>,
    private readonly admission: Admission,
    private readonly addresses: ClientAddresses,
    private readonly inFlight: CallsInFlight,
    private readonly bodies: RequestBodies,
    private readonly forwarder: Forwarder,
    private readonly webSocketProxy: WebSocketProxy,
    private readonly localRoutes: LocalRoutes,
    private readonly log: RequestLog,
  ) {}

  onModuleInit(): void {
    this.adapterHost.httpAdapter.mount(this, PortalOrigin.of(this.config.PORTAL_ORIGIN));
  }

  handle(request: IncomingMessage, response: ServerResponse): void {
    const received = apiRequestOf(request, response);
    if (hasBody(request)) request.on('error', (error: Error) => (received.bodyError = error));
    this.run(received, NO_BYTES);
  }

  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    this.run(apiRequestOf(request, responseOn(request, socket as Socket), true), head);
  }

  /** Responds to bytes that are not HTTP like any refused request, and closes the connection. */
  malformed(error: { code?: string }, socket: Duplex): void {
    const problem = malformedProblem(error.code);
    // A connection that was opened in advance and sent nothing is closed without a response.
    const isUnused = socket instanceof Socket && socket.bytesRead === 0;
    if (!(socket instanceof Socket) || !socket.writable || isUnused || error.code === 'ECONNRESET') {
      socket.destroy();
      return;
    }
    // While an earlier request of the connection has a response in progress, nothing else may be written.
    const exchange = responseInProgress(socket);
    if (!exchange) {
      const request = Object.assign(new IncomingMessage(socket), { method: 'GET', url: '/' });
      this.refuse(apiRequestOf(request, responseOn(request, socket)), problem);
    } else if (!failBody(exchange, problem)) socket.destroy();
  }

  private run(received: ApiRequest, head: Buffer): void {
    const malformed = requestProblem(received.request);
    if (malformed) {
      // A proxy in front of this process may read the next bytes of the connection differently.
      received.response.shouldKeepAlive = false;
      return this.refuse(received, malformed);
    }
    try {
      const settled = whenKnown(this.admission.decide(received.request), (decision) =>
        this.respond(received, decision, head),
      );
      if (settled instanceof Promise) settled.catch((error) => this.fail(received, error));
    } catch (error) {
      this.fail(received, error);
    }
  }

  private respond(received: ApiRequest, decision: Decided, head: Buffer): void | Promise<void> {
    const known = decided(received, decision);
    measureRequest(received, 'endpoint' in decision ? decision.endpoint.path : 'refused');
    if (decision.key && this.log.isEnabled && this.log.takesOf(decision.key, decision.verdict.admitted))
      this.record(received, decision.key);
    if ('problem' in decision) sendProblem(known, decision.problem);
    else if (received.bodyError instanceof Problem) sendProblem(known, received.bodyError);
    // Node gives such a request another socket than its own, which must not be joined with that of a service.
    else if (received.isUpgrade && hasBody(received.request)) sendProblem(known, UPGRADE_WITH_BODY);
    else if (decision.key === null || decision.endpoint.upgrade) this.stream(known, decision, head);
    else return this.serve(known, decision);
  }

  /** Counts the call and reads its body, and only then uses a connection to its service. */
  private serve(known: DecidedRequest, admitted: Admitted): void | Promise<void> {
    const { request, response } = known;
    // The client may have disconnected during the decision.
    if (response.destroyed) return;
    const service = serviceFor(admitted);
    const tooMany = this.inFlight.enter(response, admitted.key.accountId, service);
    if (tooMany) return sendProblem(known, tooMany);
    if (service === 'gateway') return this.respondLocally(known, admitted);
    return whenKnown(this.bodies.read(request, response), (body) => {
      if (body instanceof Problem) sendProblem(known, body);
      else if (!response.destroyed) this.forwarder.forward(known, admitted, service, body);
    });
  }

  /** Logs a request of an account when it is over. */
  private record({ request, response, correlation, startedAtMs, isUpgrade }: ApiRequest, key: Caller): void {
    whenOver(response, () => {
      // Opened streams have no response.
      if (isUpgrade && !response.headersSent) return;
      const durationMs = performance.now() - startedAtMs;
      this.log.add(key, {
        createdAtMs: Date.now() - Math.round(durationMs),
        requestId: correlation.requestId,
        method: request.method ?? '',
        path: pathOf(request.url ?? ''),
        status: response.headersSent ? response.statusCode : null,
        durationMs,
      });
    });
  }

  private fail(received: ApiRequest, error: unknown): void {
    this.logger.error({ msg: 'a request failed', requestId: received.correlation.requestId, err: error });
    const detail = 'Something failed on our side. Try again; if it fails again, report the X-Request-Id.';
    this.refuse(received, new Problem('internal', detail));
  }

  private async respondLocally(received: DecidedRequest, admitted: Admitted): Promise<void> {
    const body = await this.localRoutes.respond(received.request, admitted);
    if (body instanceof Problem) sendProblem(received, body);
    else sendJson(received, 200, body);
  }

  private stream(received: DecidedRequest, admitted: Admitted | TicketHolder, head: Buffer): void {
    const service = serviceFor(admitted);
    const protocol = received.request.headers.upgrade?.toLowerCase();
    if (received.isUpgrade && protocol === 'websocket' && service !== 'gateway') {
      this.webSocketProxy.connect(received, admitted, service, head);
    } else sendProblem(received, NOT_A_WEBSOCKET);
  }

  private refuse(received: ApiRequest, problem: Problem): void {
    const refused = this.admission.refuseAddress(this.addresses.of(received.request), problem);
    const sent = whenKnown(refused, (decision) => sendProblem(decided(received, decision), decision.problem));
    if (sent instanceof Promise) sent.catch(() => received.response.destroy());
  }
}

const NOT_A_WEBSOCKET = new Problem('invalid_request', 'This is a stream: open it as a WebSocket.', {
  headers: { Upgrade: 'websocket' },
});
const UPGRADE_WITH_BODY = malformedProblem('UPGRADE_WITH_BODY');

function apiRequestOf(request: IncomingMessage, response: ServerResponse, isUpgrade = false): ApiRequest {
  const { 'x-request-id': requestId, traceparent } = request.headers;
  const correlation = continueCorrelation(String(requestId ?? ''), String(traceparent ?? ''));
  return {
    request,
    response,
    correlation,
    startedAtMs: performance.now(),
    isUpgrade,
    decision: undefined,
    bodyError: undefined,
  };
}
