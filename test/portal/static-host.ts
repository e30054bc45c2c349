import { readFile } from 'node:fs/promises';
import { type Server, createServer } from 'node:http';
import path from 'node:path';
import { workspaceRoot } from '@plimsoll/local-parts';

const FILES = path.join(workspaceRoot(), 'dist/apps/portal');
const TYPES: Record<string, string> = {
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.svg': 'image/svg+xml',
};

/** A host of the portal's files apart from the gateway, as apps/portal/README.md describes it. */
export class StaticHost {
  private server?: Server;

  constructor(private readonly port: number) {}

  get origin(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  async start(apiOrigin: string): Promise<void> {
    const index = (await readFile(path.join(FILES, 'index.html'), 'utf8')).replace(
      '<meta name="api-origin" content="" />',
      `<meta name="api-origin" content="${apiOrigin}" />`,
    );
    const policy = `default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src ${apiOrigin} ${apiOrigin.replace('http', 'ws')}`;
    this.server = createServer((request, response) => {
      response.setHeader('content-security-policy', policy);
      const name = /^\/portal\/(assets\/[\w.-]+)$/.exec(request.url ?? '')?.[1];
      if (!name) return void response.setHeader('content-type', 'text/html').end(index);
      response.setHeader('content-type', TYPES[path.extname(name)] ?? 'text/plain');
      readFile(path.join(FILES, name)).then(
        (body) => response.end(body),
        () => response.writeHead(404).end(),
      );
    });
    await new Promise<void>((resolve) => this.server?.listen(this.port, '127.0.0.1', resolve));
  }

  stop(): void {
    this.server?.close();
    this.server?.closeAllConnections();
  }
}
