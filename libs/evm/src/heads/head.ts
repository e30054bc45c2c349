import { hexToBigInt, numberToHex, type Hex } from 'viem';
import type { ChainClient } from '../rpc/chain-client';

/** The fields of a block that reading positions needs. `timestamp` is in unix seconds. */
export interface Head {
  number: bigint;
  hash: Hex;
  parentHash: Hex;
  timestamp: bigint;
}

/** A block header in JSON-RPC. */
export interface RpcHeader {
  number: Hex;
  hash: Hex;
  parentHash: Hex;
  timestamp: Hex;
}

/** Reads the header of a newHeads message or of eth_getBlockBy…. */
export function parseHead({ number, hash, parentHash, timestamp }: RpcHeader): Head {
  return { number: hexToBigInt(number), hash, parentHash, timestamp: hexToBigInt(timestamp) };
}

/** The newest block. @throws ChainReadError */
export async function readLatestHead(client: ChainClient): Promise<Head> {
  return parseHead(await client.request<RpcHeader>('eth_getBlockByNumber', ['latest', false]));
}

/** The block with a hash. Null if the node does not have it. @throws ChainReadError */
export async function readHeadByHash(client: ChainClient, hash: Hex): Promise<Head | null> {
  const header = await client.request<RpcHeader | null>('eth_getBlockByHash', [hash, false]);
  return header && parseHead(header);
}

/** The block at a height. Null above the head. @throws ChainReadError */
export async function readHeadAt(client: ChainClient, number: bigint): Promise<Head | null> {
  const params = [numberToHex(number), false];
  const header = await client.request<RpcHeader | null>('eth_getBlockByNumber', params);
  return header && parseHead(header);
}

/** The hash of the block at a height. Null above the head. @throws ChainReadError */
export async function readBlockHash(client: ChainClient, number: bigint): Promise<Hex | null> {
  const params = [numberToHex(number), false];
  return (await client.request<RpcHeader | null>('eth_getBlockByNumber', params))?.hash ?? null;
}
