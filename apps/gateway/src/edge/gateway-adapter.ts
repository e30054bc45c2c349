import { type IncomingMessage, type RequestListener, type ServerResponse, createServer } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import { respondToRouterError, responseInProgress } from '@plimsoll/service-kit';
import { hasBody } from '../pipeline/body/body-headers';
import { limitChunks } from '../pipeline/body/chunk-limit';
import { KEEP_ALIVE_MS } from '../pipeline/response/head';
import { responseOn } from '../pipeline/response/response-on';
import { TRANSPORT_HEADERS } from '../pipeline/response/response-headers';
import { requestProblem } from './malformed';
import type { PortalOrigin } from './portal-origin';

const DEADLINES_MS = {
  /** The head of a request, from its first byte. */
  headers: 10_000,
  /** The whole request. The deadlines of bodies are shorter (BODY_DEADLINE_MS), except for `/account/v1`. */
  request: 45_000,
  /** A connection without any data in either direction for this long is closed. */
  stalled: 60_000,
};
/** Node checks the deadlines of heads and requests this often. */
const CHECK_MS = 500;

/** The handler of /v1. */
export interface Api {
  handle(request: IncomingMessage, response: ServerResponse): void;
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void;
  malformed(error: { code?: string }, socket: Duplex): void;
}

/**
 * All targets below /v1 belong to the API, as written in the request line. An encoded or absolute form does
 * not.
 */
function isApiTarget(target: string | undefined): boolean {
  return target !== undefined && /^\/v1(?:[/?]|$)/.test(target);
}

/** The API also rejects every invalid request. */
function belongsToApi(request: IncomingMessage): boolean {
  return isApiTarget(request.url) || requestProblem(request) !== undefined;
}

/** Headers that every response has, with NestJS as with the API. */
function withTransportHeaders(response: ServerResponse): ServerResponse {
  for (const [name, value] of TRANSPORT_HEADERS) response.setHeader(name, value);
  return response;
}

/**
 * A request without the headers of a body has no stream events (optimizeEmptyRequests). Fastify waits for its end when it
 * has a content type, so the end follows as soon as Fastify reads.
 */
function withEnd(request: IncomingMessage): IncomingMessage {
  if (!request.readableEnded) return request;
  request.resume = () => {
    process.nextTick(() => request.emit('end'));
    return request;
  };
  return request;
}

/** Fastify for health, metrics and other Nest routes. /v1 bypasses it and goes to our own code. */
export class GatewayAdapter extends FastifyAdapter {
  private readonly mounted: { api?: Api; portal?: PortalOrigin | undefined };

  constructor(deadlines: Partial<typeof DEADLINES_MS> = {}) {
    const { headers, request, stalled } = { ...DEADLINES_MS, ...deadlines };
    const mounted: { api?: Api; portal?: PortalOrigin | undefined } = {};
    /** The latest request with a body of each connection. */
    const uploads = new WeakMap<Duplex, IncomingMessage>();
    super({
      serverFactory: (nest: RequestListener) => {
        const server = createServer(
          {
            requestTimeout: request,
            headersTimeout: headers,
            connectionsCheckingInterval: CHECK_MS,
            keepAliveTimeout: KEEP_ALIVE_MS,
            // Otherwise Node would respond itself, without our headers.
            requireHostHeader: false,
            // Most requests have no body. Without this, Node sends each of them through the states and events of a stream.
            optimizeEmptyRequests: true,
          },
          (message, response) => {
            if (hasBody(message)) uploads.set(message.socket, message);
            limitChunks(message, response);
            if (mounted.portal?.allow(message, response)) return;
            if (mounted.api && belongsToApi(message)) mounted.api.handle(message, response);
            else void nest(withEnd(message), withTransportHeaders(response));
          },
        );
        server.timeout = stalled;
        // Node silently drops headers above a number. The API rejects such a request instead.
        server.maxHeadersCount = 0;
        // An unknown expectation is ignored (RFC 9110, 10.1.1). Node would respond with 417.
        server.on('checkExpectation', (...both) => server.emit('request', ...both));
        server.on('connect', (_, socket: Duplex) => mounted.api?.malformed({ code: 'CONNECT' }, socket));
        server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
          // For a request with a body this is not the socket of the connection. An error of it without a listener would
          // end the process when the client leaves.
          socket.on('error', () => socket.destroy());
          if (mounted.api && belongsToApi(request)) mounted.api.upgrade(request, socket, head);
          // No other request is upgraded. It gets a response over HTTP/1.1, if it needs no body: that can no longer be read.
          // Node wraps the socket of such a request: the response goes to the socket itself.
          else if (hasBody(request)) mounted.api?.malformed({ code: 'UPGRADE_WITH_BODY' }, request.socket);
          else void nest(request, withTransportHeaders(responseOn(request, socket as Socket)));
        });
        return server;
      },
      frameworkErrors: respondToRouterError,
      // As in every service (the adapter of service-kit).
      return503OnClosing: false,
      clientErrorHandler: (error: NodeJS.ErrnoException, socket: Duplex) => {
        // A refused request has its response before its body. Another one would belong to no request.
        const isAnswered = uploads.get(socket)?.complete === false && !responseInProgress(socket as Socket);
        if (isAnswered) socket.destroy();
        else mounted.api?.malformed(error, socket);
      },
    });
    this.mounted = mounted;
  }

  /** `api` handles /v1 after this call, and pages of `portal` may use everything. The app listens only afterwards. */
  mount(api: Api, portal: PortalOrigin | undefined): void {
    this.mounted.api = api;
    this.mounted.portal = portal;
  }
}
