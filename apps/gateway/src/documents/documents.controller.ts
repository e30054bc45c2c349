import { Controller, Get, Req, Res } from '@nestjs/common';
import { buildStreamsDocument } from '@plimsoll/asyncapi';
import { Problem } from '@plimsoll/contracts';
import { WithoutIdentity } from '@plimsoll/service-kit';
import type { FastifyReply, FastifyRequest } from 'fastify';
import openApi from '../../../../docs/openapi.json';
import { version } from '../../../../package.json';
import { readPageFiles } from './page-files';
import { PAGE_HEADERS } from './page-headers';
import { ServedFile } from './served-file';

/** Serves the documents of the API and of the streams with their pages, without a key. */
@Controller()
@WithoutIdentity()
export class DocumentsController {
  private readonly documents = {
    openApi: servedJson(openApi),
    asyncApi: servedJson(buildStreamsDocument(version)),
  };
  private readonly files = readPageFiles();

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
    return this.file('index', request, reply);
  }

  @Get('docs/*')
  page(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const [address = ''] = request.url.split('?');
    return this.file(address.slice('/docs/'.length), request, reply);
  }

  private async file(name: string, request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const file = this.files.get(name);
    if (!file) throw new Problem('route_not_found', 'There is no such page. The documentation is at /docs.');
    await file.send(request, reply.headers(PAGE_HEADERS));
  }
}

function servedJson(document: object): ServedFile {
  return new ServedFile('application/json; charset=utf-8', Buffer.from(JSON.stringify(document)));
}
