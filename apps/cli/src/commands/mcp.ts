import { randomBytes } from 'node:crypto';
import { type Command, InvalidArgumentError } from 'commander';
import type { Context } from '../context';
import type { ClientOf } from '../mcp/server';
import { withContext } from './command';

interface Options {
  http?: boolean;
  port: number;
}

const PORT = 8_808;
const HIGHEST_PORT = 65_535;

export function addMcpCommand(program: Command): void {
  program
    .command('mcp')
    .summary('serve read-only tools to a model (Model Context Protocol)')
    .description(
      'Serves tools that read positions, simulations, alerts and briefings with your key, and the documentation as resources. It uses standard input and output, or HTTP on loopback.',
    )
    .option('--http', 'serve streamable HTTP on 127.0.0.1')
    .option('--port <n>', 'port of --http; 0: a free one', portOf, PORT)
    .addHelpText(
      'after',
      '\nWith --http, each request needs a bearer token: that of PLIMSOLL_MCP_TOKEN, or a new one, which the command prints.',
    )
    .action(withContext(mcp));
}

async function mcp(context: Context, { http = false, port }: Options): Promise<void> {
  const clientOf: ClientOf = (options) => context.client(options);
  // A missing key is a failure of the command, which a person reads.
  clientOf({});
  // Most commands do without this code.
  if (!http) {
    const [{ createServer }, { StdioServerTransport }] = await Promise.all([
      import('../mcp/server'),
      import('@modelcontextprotocol/sdk/server/stdio.js'),
    ]);
    await createServer(clientOf).connect(new StdioServerTransport());
    return;
  }
  const { serveHttp } = await import('../mcp/http');
  const given = context.environment.mcpToken;
  const token = given ?? randomBytes(32).toString('base64url');
  const { url } = await serveHttp(clientOf, port, token);
  context.note(`The MCP server listens at ${url}.`);
  if (given === undefined) context.note(`Each request needs this header: Authorization: Bearer ${token}`);
}

function portOf(text: string): number {
  const port = Number(text);
  if (!/^\d+$/.test(text) || port > HIGHEST_PORT)
    throw new InvalidArgumentError('State a port from 0 to 65535.');
  return port;
}
