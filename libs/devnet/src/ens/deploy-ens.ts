import { readFileSync } from 'node:fs';
import {
  type Abi,
  type Address,
  type Hex,
  encodeAbiParameters,
  encodeDeployData,
  encodeFunctionData,
  keccak256,
  labelhash,
  namehash,
  numberToHex,
  pad,
  parseAbi,
  zeroAddress,
  zeroHash,
} from 'viem';
import { type AnvilRpc, operatorOf } from '../evm/rpc';
import { TransactionQueue } from '../evm/transaction-queue';

const REGISTRY: Address = '0x00000000000C2E074eC69A0dFb2997BA6C7d2e1e';
/** Places of `records` and `old` in the storage of ENSRegistryWithFallback. */
const RECORDS_SLOT = 0n;
const OLD_SLOT = 2n;

const registryAbi = parseAbi([
  'function setSubnodeRecord(bytes32 node, bytes32 label, address owner, address resolver, uint64 ttl)',
]);
const resolverAbi = parseAbi([
  'function setAddr(bytes32 node, address a)',
  'function setName(bytes32 node, string name)',
]);

/** The registry of ENS and a public resolver on a local chain. */
export interface LocalEns {
  registry: Address;
  resolver: Address;
  /** Registers a name with all names above it. @param address null: the name has a resolver but no address */
  register(name: string, address: Address | null, resolver?: Address): Promise<void>;
  /** Writes the name that an address claims. */
  claim(address: Address, name: string): Promise<void>;
}

/** The genuine contract, compiled and published by ENS. */
function artifact(pack: 'ens' | 'resolver', name: string): { abi: Abi; bytecode: Hex } {
  const path = require.resolve(`@ensdomains/${pack}/build/contracts/${name}.json`);
  return JSON.parse(readFileSync(path, 'utf8')) as { abi: Abi; bytecode: Hex };
}

/**
 * Deploys ENS as on mainnet: its registry at the address of mainnet, with the former registry behind it, and a
 * public resolver. The operator of the node owns all names.
 */
export async function deployEns(rpc: AnvilRpc): Promise<LocalEns> {
  const operator = await operatorOf(rpc);
  const queue = await TransactionQueue.open(rpc, [operator]);
  const former = artifact('ens', 'ENSRegistry');
  const old = queue.deploy(operator, 'the former ENS registry', former.abi, former.bytecode);
  const code = encodeDeployData({
    abi: parseAbi(['constructor(address old)']),
    bytecode: artifact('ens', 'ENSRegistryWithFallback').bytecode,
    args: [old],
  });
  const runtime = await rpc.request<Hex>('eth_call', [{ data: code }, 'latest']);
  await rpc.request('anvil_setCode', [REGISTRY, runtime]);
  const root = keccak256(
    encodeAbiParameters([{ type: 'bytes32' }, { type: 'uint256' }], [zeroHash, RECORDS_SLOT]),
  );
  await rpc.request('anvil_setStorageAt', [REGISTRY, root, pad(operator)]);
  await rpc.request('anvil_setStorageAt', [REGISTRY, numberToHex(OLD_SLOT, { size: 32 }), pad(old)]);
  const resolver = queue.create(
    operator,
    'the public resolver of ENS',
    encodeDeployData({
      abi: parseAbi(['constructor(address ens)']),
      bytecode: artifact('resolver', 'PublicResolver').bytecode,
      args: [REGISTRY],
    }),
  );
  await queue.flush();

  const record = (name: string, of: Address): void => {
    const labels = name.split('.');
    for (let at = labels.length - 1; at >= 0; at -= 1) {
      const parent = labels.slice(at + 1).join('.');
      const data = encodeFunctionData({
        abi: registryAbi,
        functionName: 'setSubnodeRecord',
        args: [namehash(parent), labelhash(labels[at]!), operator, at === 0 ? of : zeroAddress, 0n],
      });
      queue.call(operator, `register ${name}`, REGISTRY, data);
    }
  };
  const write = (functionName: 'setAddr' | 'setName', name: string, value: string): void => {
    const args = [namehash(name), value] as never;
    const data = encodeFunctionData({ abi: resolverAbi, functionName, args });
    queue.call(operator, `${functionName} of ${name}`, resolver, data);
  };
  return {
    registry: REGISTRY,
    resolver,
    register: async (name, address, of = resolver) => {
      record(name, of);
      if (address !== null) write('setAddr', name, address);
      await queue.flush();
    },
    claim: async (address, name) => {
      const reverse = `${address.slice(2).toLowerCase()}.addr.reverse`;
      record(reverse, resolver);
      write('setName', reverse, name);
      await queue.flush();
    },
  };
}
