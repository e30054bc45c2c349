import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { loadRegistry, mergeOverlay, parseOverlay, type ProtocolRegistry } from '@plimsoll/evm';
import { parseReading } from '@plimsoll/protocols';
import { replayClient } from '@plimsoll/testing';
import { verifiedLines, verifyChain } from './verify-chain';

const NAME = 'dolomite/dolomite-400-days';
const FOLDER = path.join(__dirname, '../../test/recordings');
const { chain, rows, wallets } = parseReading(readFileSync(path.join(FOLDER, `${NAME}.json.gz`)));
const described = JSON.parse(readFileSync(path.join(FOLDER, `${NAME}.json`), 'utf8')) as {
  positions: number;
  verdicts: number;
};

interface RpcRequest {
  id: number;
  method: string;
  params: unknown[];
}

/** Serves the recording as a node. */
function serveRecording(): Server {
  const client = replayClient(chain, NAME);
  const respond = async ({ id, method, params }: RpcRequest) => ({
    jsonrpc: '2.0',
    id,
    result: await client.request(method, params),
  });
  return createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const asked = JSON.parse(Buffer.concat(chunks).toString()) as RpcRequest | RpcRequest[];
      const responses = Array.isArray(asked) ? Promise.all(asked.map(respond)) : respond(asked);
      responses.then(
        (body) => response.setHeader('content-type', 'application/json').end(JSON.stringify(body)),
        (error: Error) => response.writeHead(500).end(error.message),
      );
    });
  });
}

describe('npm run doctor -- --verify, of a family whose positions are found in logs', () => {
  let server: Server;
  let rpcUrl: string;
  let registry: ProtocolRegistry;
  beforeAll(async () => {
    server = serveRecording().listen(0, '127.0.0.1');
    await new Promise((resolve) => server.once('listening', resolve));
    rpcUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const [{ protocol, contracts }] = rows as [(typeof rows)[number]];
    const overlay = {
      chains: [{ id: 1, multicall3: chain.multicall3 }],
      protocols: [{ id: protocol, chains: { 1: contracts } }],
    };
    registry = mergeOverlay(await loadRegistry(), parseOverlay(overlay));
  });
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });

  it('compares every sub-account with its own verdicts, from the logs', async () => {
    const [row] = await verifyChain(registry, { chainId: 1, rpcUrl, logsFrom: 0n }, wallets);
    expect(row).toMatchObject({ family: 'dolomite', isFailing: false, differences: [] });
    const { positions, verdicts } = described;
    expect(row?.counts).toMatchObject({ positions, exact: positions, different: 0, verdicts });
  });

  it('says which option it needs without the first block of logs', async () => {
    const verified = await verifyChain(registry, { chainId: 1, rpcUrl }, wallets);
    expect(verified).toMatchObject([{ reason: expect.stringContaining('--logs-from'), isFailing: false }]);
    expect(verifiedLines(verified)).toEqual(['  needs logs  dolomite: --logs-from 1:BLOCK']);
  });
});
