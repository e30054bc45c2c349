import {
  type Abi,
  type Address,
  type Hex,
  bytesToHex,
  decodeFunctionResult,
  encodeFunctionData,
  parseAbi,
  zeroAddress,
} from 'viem';
import { namehash, packetToBytes } from 'viem/ens';
import { type BlockRef, PinnedCall } from '../multicall/pinned-call';
import type { ChainClient } from '../rpc/chain-client';
import { ChainReadError } from '../rpc/chain-read-error';
import { rejectionOf } from '../rpc/rpc-error';
import { normalName } from './name';

/** The registry of ENS on mainnet. */
export const ENS_REGISTRY: Address = '0x00000000000C2E074eC69A0dFb2997BA6C7d2e1e';

/** Id of `resolve(bytes,bytes)` of ENSIP-10. */
const EXTENDED_RESOLVER = '0x9061b923';
/** Selector of the error `OffchainLookup` of EIP-3668. */
const OFFCHAIN_LOOKUP = '0x556f1830';

const registryAbi = parseAbi(['function resolver(bytes32 node) view returns (address)']);
const addrAbi = parseAbi(['function addr(bytes32 node) view returns (address)']);
const nameAbi = parseAbi(['function name(bytes32 node) view returns (string)']);
const extendedAbi = parseAbi(['function resolve(bytes name, bytes data) view returns (bytes)']);
const supportsAbi = parseAbi(['function supportsInterface(bytes4 id) view returns (bool)']);

/**
 * The record of a name.
 * - none: the name has no owner, or no such record
 * - offchain: the record is on a server, whose address the resolver returns (EIP-3668)
 */
export type NameRecord<T> = { kind: 'found'; value: T } | { kind: 'none' } | { kind: 'offchain' };

/**
 * Reads ENS through the registry and the resolvers (ENSIP-1, ENSIP-3, ENSIP-10), all at one block. It calls no server
 * that a resolver names.
 */
export class NameReader {
  private readonly pinned: PinnedCall;

  constructor(
    private readonly client: ChainClient,
    private readonly registry: Address = ENS_REGISTRY,
  ) {
    this.pinned = new PinnedCall(client);
  }

  /** Whether the chain of the node has the registry. @throws ChainReadError */
  async isDeployed(): Promise<boolean> {
    return (await this.client.request<Hex>('eth_getCode', [this.registry, 'latest'])) !== '0x';
  }

  /** The address of a normalised name. @throws ChainReadError */
  async addressOf(name: string, block: BlockRef): Promise<NameRecord<Address>> {
    const data = encodeFunctionData({ abi: addrAbi, functionName: 'addr', args: [namehash(name)] });
    const record = await this.record(name, data, block);
    if (record.kind !== 'found') return record;
    const address = decoded<Address>(addrAbi, 'addr', record.value);
    return found(address === zeroAddress ? null : address);
  }

  /**
   * The primary name of an address. Any address can claim any name there, so it counts only if the name has this address.
   * @throws ChainReadError
   */
  async nameOf(address: Address, block: BlockRef): Promise<NameRecord<string>> {
    const reverse = `${address.slice(2).toLowerCase()}.addr.reverse`;
    const data = encodeFunctionData({ abi: nameAbi, functionName: 'name', args: [namehash(reverse)] });
    const record = await this.record(reverse, data, block);
    if (record.kind !== 'found') return record;
    const name = decoded<string>(nameAbi, 'name', record.value);
    if (name === null || normalName(name) !== name) return NONE;
    const forward = await this.addressOf(name, block);
    if (forward.kind !== 'found') return forward;
    return found(forward.value.toLowerCase() === address.toLowerCase() ? name : null);
  }

  /** Returns the response of the resolver of a name, or of the nearest name above it, to a call. */
  private async record(name: string, data: Hex, block: BlockRef): Promise<NameRecord<Hex>> {
    const labels = name.split('.');
    for (let at = 0; at < labels.length; at += 1) {
      const resolver = await this.resolverOf(labels.slice(at).join('.'), block);
      if (resolver === null) continue;
      const isExtended = await this.isExtended(resolver, block);
      // Only an extended resolver knows names below its own.
      if (!isExtended) return at === 0 ? this.call(resolver, data, block) : NONE;
      const resolve = encodeFunctionData({
        abi: extendedAbi,
        functionName: 'resolve',
        args: [bytesToHex(packetToBytes(name)), data],
      });
      const result = await this.call(resolver, resolve, block);
      return result.kind === 'found' ? found(decoded<Hex>(extendedAbi, 'resolve', result.value)) : result;
    }
    return NONE;
  }

  private async resolverOf(name: string, block: BlockRef): Promise<Address | null> {
    const data = encodeFunctionData({
      abi: registryAbi,
      functionName: 'resolver',
      args: [namehash(name)],
    });
    const result = await this.call(this.registry, data, block);
    const resolver = result.kind === 'found' ? decoded<Address>(registryAbi, 'resolver', result.value) : null;
    return resolver === zeroAddress ? null : resolver;
  }

  private async isExtended(resolver: Address, block: BlockRef): Promise<boolean> {
    const data = encodeFunctionData({
      abi: supportsAbi,
      functionName: 'supportsInterface',
      args: [EXTENDED_RESOLVER],
    });
    const result = await this.call(resolver, data, block);
    return (
      result.kind === 'found' && decoded<boolean>(supportsAbi, 'supportsInterface', result.value) === true
    );
  }

  /** A contract that rejects a call has no record for it. */
  private async call(to: Address, data: Hex, block: BlockRef): Promise<NameRecord<Hex>> {
    try {
      return found(await this.pinned.call({ to, data }, block));
    } catch (error) {
      if (!(error instanceof ChainReadError) || error.code !== 'rpc_rejected') throw error;
      const revert = rejectionOf(error.cause)?.data;
      return typeof revert === 'string' && revert.startsWith(OFFCHAIN_LOOKUP) ? { kind: 'offchain' } : NONE;
    }
  }
}

const NONE: NameRecord<never> = { kind: 'none' };

function found<T>(value: T | null): NameRecord<T> {
  return value === null ? NONE : { kind: 'found', value };
}

/** Null for a result that is not one of this function, as of an account without code. */
function decoded<T>(abi: Abi, functionName: string, data: Hex): T | null {
  try {
    return decodeFunctionResult({ abi, functionName, data }) as T;
  } catch {
    return null;
  }
}
