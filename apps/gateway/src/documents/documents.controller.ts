import { Controller, Get, Param, Req, Res } from '@nestjs/common';
import { buildStreamsDocument } from '@plimsoll/asyncapi';
import { Problem } from '@plimsoll/contracts';
import { WithoutIdentity } from '@plimsoll/service-kit';
import type { FastifyReply, FastifyRequest } from 'fastify';
import openApi from '../../../../docs/openapi.json';
import { version } from '../../../../package.json';
import { readPageFiles } from './page-files';
import { ServedFile } from './served-file';

/**
 * Permissions of the documentation page: run and style its own files, send requests to this gateway, and
 * nothing else. Swagger UI sets styles through the DOM, which needs no exception. Its icons are data: images
 * inside of its style sheet.
 */
const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  'img-src data:',
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** Headers of the page and of all its files. */
const PAGE_HEADERS = {
  'content-security-policy': CONTENT_SECURITY_POLICY,
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'strict-transport-security': 'max-age=31536000',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
} as const;

/** Serves the documents of the API and of the streams with their pages, without a key. */
@Controller()
@WithoutIdentity()
export class DocumentsController {
  private readonly documents = {
    openApi: servedJson(openApi),
    asyncApi: servedJson(buildStreamsDocument(version)),
  };
  private readonly page = readPageFiles();

  @Get('openapi.json')
  openApi(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    return this.documents.openApi.send(request, reply.headers(PAGE_HEADERS));
  }

  @Get('asyncapi.json')
  asyncApi(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    return this.documents.asyncApi.send(request, reply.headers(PAGE_HEADERS));
  }

  @Get('docs')
  index(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    return this.file('index.html', request, reply);
  }

  @Get('docs/streams')
  streams(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    return this.file('streams.html', request, reply);
  }

  @Get('docs/device')
  device(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    return this.file('device.html', request, reply);
  }

  @Get('docs/:name')
  async file(
    @Param('name') name: string,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const file = this.page.get(name);
    if (!file) throw new Problem('route_not_found', 'There is no such file. The documentation is at /docs.');
    await file.send(request, reply.headers(PAGE_HEADERS));
  }
}

function servedJson(document: object): ServedFile {
  return new ServedFile('application/json; charset=utf-8', Buffer.from(JSON.stringify(document)));
}
