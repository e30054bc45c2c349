import { type IncomingMessage, request as httpRequest } from 'node:http';
import { type Socket, connect } from 'node:net';
import { Injectable, type OnModuleInit } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { FastifyAdapter } from '@nestjs/platform-fastify';
import { matchEndpoint, withoutSocketIoSlash } from '@plimsoll/access';
import { type Identity, Problem, REQUEST_ID_HEADER, isTestAccount, problemBody } from '@plimsoll/contracts';
import { ServiceIdentity, currentCorrelation, sendProblem } from '@plimsoll/service-kit';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { TEST_SERVICES, type TestService } from '../plane/service-plane';
import { Deadline } from '../sandboxes/deadline';
import { LATE, away } from '../sandboxes/problems';
import { Sandboxes } from '../sandboxes/sandboxes';
import { passedHeaders } from './passed-headers';

const CONNECT_DEADLINE_MS = 2_000;
const ISSUER = 'gateway';

interface Target {
  port: number;
  headers: string[];
}

/**
 * Sends the requests of test keys to the services of their account's market, with an identity that only those accept.
 * Requests for /v1/test stay here.
 */
@Injectable()
export class Forwarder implements OnModuleInit {
  constructor(
    private readonly adapterHost: HttpAdapterHost<FastifyAdapter>,
    private readonly identity: ServiceIdentity,
    private readonly sandboxes: Sandboxes,
  ) {}

  onModuleInit(): void {
    const fastify = this.adapterHost.httpAdapter.getInstance<FastifyInstance>();
    fastify.addHook('onRequest', (request, reply, done) => {
      const service = serviceOf(request.raw);
      if (service) void this.forward(request, reply, service);
      else done();
    });
    fastify.server.on('upgrade', (request: IncomingMessage, socket: Socket, head: Buffer) => {
      void this.join(request, socket, head);
    });
  }

  private async forward(request: FastifyRequest, reply: FastifyReply, service: TestService): Promise<void> {
    const deadline = new Deadline();
    const { raw } = request;
    const refuse = (problem: Problem): void => {
      const requestId = currentCorrelation().requestId ?? String(request.id);
      sendProblem(reply, problem, pathOf(raw), requestId);
    };
    try {
      const { port, headers } = await this.target(raw, service, deadline);
      const { method, url: path } = raw;
      const sent = httpRequest({ host: '127.0.0.1', port, method, path, headers, agent: false });
      const timer = setTimeout(() => sent.destroy(LATE), deadline.leftMs);
      reply.raw.once('close', () => sent.destroy());
      sent.once('close', () => clearTimeout(timer));
      sent.once('response', (response) => {
        reply.hijack();
        reply.raw.writeHead(response.statusCode ?? 502, passedHeaders(response.rawHeaders));
        response.pipe(reply.raw);
        response.once('error', () => reply.raw.destroy());
      });
      sent.once('error', (error) => {
        if (reply.raw.destroyed) return;
        if (reply.raw.headersSent) reply.raw.destroy();
        else refuse(error === LATE ? LATE : away(error));
      });
      raw.pipe(sent);
    } catch (error) {
      refuse(problemOf(error));
    }
  }

  /** Connects a stream: the handshake with the identity of the market, then socket to socket. */
  private async join(request: IncomingMessage, socket: Socket, head: Buffer): Promise<void> {
    socket.on('error', () => undefined);
    try {
      const service = serviceOf(request);
      if (service !== 'streams') throw new Problem('route_not_found', 'There is no such stream.');
      const { port, headers } = await this.target(request, service, new Deadline());
      const upstream = connect({ host: '127.0.0.1', port });
      const timer = setTimeout(() => upstream.destroy(new Error('no connection')), CONNECT_DEADLINE_MS);
      upstream.once('connect', () => {
        clearTimeout(timer);
        const lines = [`GET ${request.url} HTTP/1.1`, 'Connection: Upgrade', 'Upgrade: websocket'];
        for (let at = 0; at + 1 < headers.length; at += 2) lines.push(`${headers[at]}: ${headers[at + 1]}`);
        upstream.write(`${lines.join('\r\n')}\r\n\r\n`);
        upstream.write(head);
        upstream.pipe(socket);
        socket.pipe(upstream);
      });
      upstream.once('error', () => socket.destroy());
      upstream.once('close', () => socket.destroySoon());
      socket.once('close', () => upstream.destroy());
    } catch (error) {
      refuseUpgrade(request, socket, problemOf(error));
    }
  }

  /** @throws Problem without the identity of a test key from the gateway, or as Sandboxes.use */
  private async target(request: IncomingMessage, service: TestService, deadline: Deadline): Promise<Target> {
    const { method = '', url = '', headers } = request;
    const verified = this.identity.verify({ method, path: url, headers }, Date.now());
    if (!verified || verified.from !== ISSUER || !isTestAccount(verified.identity.accountId))
      throw new Problem(
        'missing_api_key',
        'Send the request through the gateway with a test key in x-api-key.',
      );
    const { plane } = await this.sandboxes.use(verified.identity.accountId, deadline);
    const signed = plane.headersFor(
      service,
      method,
      url,
      verified.identity satisfies Omit<Identity, 'requestId'>,
    );
    return {
      port: plane.portOf(service),
      headers: ['Host', '127.0.0.1', ...passedHeaders(request.rawHeaders), ...Object.entries(signed).flat()],
    };
  }
}

/** The service of a market that has this endpoint. Undefined for /v1/test, and for paths outside of the table. */
function serviceOf(request: IncomingMessage): TestService | undefined {
  const match = matchEndpoint(request.method ?? '', withoutSocketIoSlash(request, pathOf(request)));
  return match.kind === 'endpoint'
    ? TEST_SERVICES.find((name) => name === match.endpoint.service)
    : undefined;
}

const pathOf = ({ url = '' }: IncomingMessage): string => url.split('?', 1)[0] ?? '';

function problemOf(error: unknown): Problem {
  return error instanceof Problem
    ? error
    : new Problem('internal', 'Something failed on our side. Report the X-Request-Id.', { cause: error });
}

function refuseUpgrade(request: IncomingMessage, socket: Socket, problem: Problem): void {
  const requestId = String(request.headers[REQUEST_ID_HEADER] ?? '');
  const body = JSON.stringify(problemBody(problem, pathOf(request), requestId));
  const head = {
    ...problem.options.headers,
    'Content-Type': 'application/problem+json',
    'Content-Length': String(Buffer.byteLength(body)),
    Connection: 'close',
  };
  const lines = Object.entries(head).map(([name, value]) => `${name}: ${value}`);
  socket.end(`HTTP/1.1 ${problem.status} ${problem.code}\r\n${lines.join('\r\n')}\r\n\r\n${body}`);
}
