import { Controller, Get, Redirect, Req, Res } from '@nestjs/common';
import { Problem } from '@plimsoll/contracts';
import { WithoutIdentity } from '@plimsoll/service-kit';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { NODE_WORKER_HEADERS, PAGE_HEADERS } from './page-headers';
import { readPortalFiles } from './portal-files';

const FILES = ['assets/', 'LICENCES.txt'];
/** The build gives this name to workers that send requests to a node of the user. */
const NODE_WORKER = 'assets/node-';

/** Serves the portal. Its program shows the page of every address below /portal that is not a file. */
@Controller()
@WithoutIdentity()
export class PortalController {
  private readonly files = readPortalFiles();

  @Get()
  @Redirect('/portal')
  root(): void {}

  @Get('portal')
  index(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    return this.file('index.html', request, reply);
  }

  @Get('portal/*')
  page(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const [address = ''] = request.url.split('?');
    const name = address.slice('/portal/'.length);
    return this.file(FILES.some((each) => name.startsWith(each)) ? name : 'index.html', request, reply);
  }

  private async file(name: string, request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const file = this.files.get(name);
    if (!file)
      throw new Problem('route_not_found', 'The portal has no such file. Its first page is /portal.');
    await file.send(
      request,
      reply.headers(name.startsWith(NODE_WORKER) ? NODE_WORKER_HEADERS : PAGE_HEADERS),
    );
  }
}
