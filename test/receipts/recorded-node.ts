import { type IncomingMessage, type Server, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { ChainRecording, Transaction } from '@plimsoll/evm';
import type { Address, Hex } from 'viem';
import { recordedChain } from './made-receipts';

interface Request {
  id: number;
  method: string;
  params: readonly unknown[];
}

type Response = { result: unknown } | { error: { code: number; message: string } };

const REVERTED = { error: { code: 3, message: 'execution reverted' } };

/** A node over HTTP that has the chains of recordings: the path of its URL names one. */
export class RecordedNode {
  private readonly chains = new Map<string, ChainRecording>();

  private constructor(private readonly server: Server) {}

  static async start(): Promise<RecordedNode> {
    const server = createServer();
    const node = new RecordedNode(server);
    server.on('request', (request: IncomingMessage, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        const call = JSON.parse(Buffer.concat(chunks).toString()) as Request;
        const answer = node.respond(request.url!.slice(1), call);
        response.setHeader('content-type', 'application/json');
        response.end(JSON.stringify({ jsonrpc: '2.0', id: call.id, ...answer }));
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return node;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  private respond(name: string, { method, params }: Request): Response {
    const chain = this.chains.get(name) ?? recordedChain(name);
    this.chains.set(name, chain);
    const { block, chainId } = chain;
    if (method === 'eth_chainId') return { result: `0x${chainId.toString(16)}` };
    if (method === 'eth_getBlockByHash') return { result: params[0] === block.hash ? block : null };
    if (method === 'eth_getProof') {
      const [address, slots] = params as [Address, Hex[]];
      return { result: chain.proofOf(address, slots) ?? null };
    }
    if (method !== 'eth_call') return { error: { code: -32_601, message: 'not recorded' } };
    const [transaction, pin] = params as [Transaction, { blockHash: string }];
    if (pin.blockHash !== block.hash) return { error: { code: -32_001, message: 'no such block' } };
    // Receipts have recorded calls only. A changed one reverts here, as most contracts do.
    const result = chain.resultOf(transaction);
    return result?.ok ? { result: result.data } : REVERTED;
  }

  close(): Promise<void> {
    this.server.closeAllConnections();
    return new Promise((resolve) => this.server.close(() => resolve()));
  }
}
