import { type IncomingMessage, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { ChainRecording, Transaction } from '@plimsoll/evm';
import type { Address, Hex } from 'viem';
import { recordedChain } from './recorded-chains';

// The program of RecordedNode. It prints its URL.

interface Request {
  id: number;
  method: string;
  params: readonly unknown[];
}

type Response = { result: unknown } | { error: { code: number; message: string } };

const REVERTED = { error: { code: 3, message: 'execution reverted' } };
const chains = new Map<string, ChainRecording>();

/** @param name of the recording, which the path of the URL has */
function respond(name: string, { method, params }: Request): Response {
  const chain = chains.get(name) ?? recordedChain(name);
  chains.set(name, chain);
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

const server = createServer((request: IncomingMessage, response) => {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    const call = JSON.parse(Buffer.concat(chunks).toString()) as Request;
    const body = { jsonrpc: '2.0', id: call.id, ...respond(request.url!.slice(1), call) };
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify(body));
  });
});
server.listen(0, '127.0.0.1', () => {
  process.stdout.write(`http://127.0.0.1:${(server.address() as AddressInfo).port}\n`);
});
