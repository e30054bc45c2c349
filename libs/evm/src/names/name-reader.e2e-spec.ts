import { type LocalEns, compileSolidity, connectAnvil, deployEns } from '@plimsoll/devnet';
import { type OwnPart, startOwnEvm } from '@plimsoll/testing';
import { type Address, getAddress } from 'viem';
import { readLatestHead } from '../heads/head';
import { type ChainClient, createChainClient } from '../rpc/chain-client';
import { NameReader } from './name-reader';

const ADA: Address = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8';
const BOB: Address = '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC';

let node: OwnPart;
let client: ChainClient;
let ens: LocalEns;
let names: NameReader;

beforeAll(async () => {
  node = await startOwnEvm({ chainId: 1 });
  client = createChainClient({ chainId: 1, rpcUrl: node.url });
  names = new NameReader(client);
}, 60_000);
afterAll(() => node?.dispose());

describe('NameReader', () => {
  it('finds no registry on a chain without ENS', async () => {
    await expect(names.isDeployed()).resolves.toBe(false);
    ens = await deployEns(connectAnvil(node.url));
    await expect(names.isDeployed()).resolves.toBe(true);
  }, 60_000);

  const addressOf = async (name: string) => names.addressOf(name, await readLatestHead(client));
  const nameOf = async (address: Address) => names.nameOf(address, await readLatestHead(client));
  const found = <T>(value: T) => ({ kind: 'found', value });

  it('reads the address of a name, also one with several labels', async () => {
    await ens.register('ada.eth', ADA);
    await ens.register('safe.team.dao.eth', BOB);
    await expect(addressOf('ada.eth')).resolves.toEqual(found(getAddress(ADA)));
    await expect(addressOf('safe.team.dao.eth')).resolves.toEqual(found(getAddress(BOB)));
  });

  it('finds no address for an unknown name, one without address, and one below a plain resolver', async () => {
    await ens.register('empty.eth', null);
    for (const name of ['nobody.eth', 'empty.eth', 'below.ada.eth'])
      await expect(addressOf(name)).resolves.toEqual({ kind: 'none' });
  });

  it('finds no address where the resolver has no code', async () => {
    await ens.register('broken.eth', null, BOB);
    await expect(addressOf('broken.eth')).resolves.toEqual({ kind: 'none' });
  });

  it('reads at the block that is named, before and after a name moved', async () => {
    await ens.register('moving.eth', ADA);
    const before = await readLatestHead(client);
    await ens.register('moving.eth', BOB);
    await expect(names.addressOf('moving.eth', before)).resolves.toEqual(found(getAddress(ADA)));
    await expect(addressOf('moving.eth')).resolves.toEqual(found(getAddress(BOB)));
  });

  it('accepts the name that an address claims only if the name has this address', async () => {
    await expect(nameOf(ADA)).resolves.toEqual({ kind: 'none' });
    await ens.claim(ADA, 'ada.eth');
    await expect(nameOf(ADA)).resolves.toEqual(found('ada.eth'));
    await ens.claim(BOB, 'ada.eth');
    await expect(nameOf(BOB)).resolves.toEqual({ kind: 'none' });
    await ens.claim(BOB, 'Moving.eth');
    await expect(nameOf(BOB)).resolves.toEqual({ kind: 'none' });
  });

  it('calls no server that a resolver names', async () => {
    await ens.register('elsewhere.eth', null, await deployOffchainResolver());
    await expect(addressOf('elsewhere.eth')).resolves.toEqual({ kind: 'offchain' });
    await expect(addressOf('below.elsewhere.eth')).resolves.toEqual({ kind: 'offchain' });
  });
});

async function deployOffchainResolver(): Promise<Address> {
  const { OffchainResolver } = compileSolidity({
    compiler: 'solc',
    folders: [__dirname],
    entries: ['OffchainResolver.sol'],
    settings: { optimizer: { enabled: true, runs: 1 }, evmVersion: 'paris' },
  });
  // Not the operator, whose transactions deployEns numbers.
  const [, from] = await client.request<Address[]>('eth_accounts', []);
  const creation = { from, data: OffchainResolver!.bytecode, gas: '0x200000' };
  const receipt = await client.request<{ contractAddress: Address }>('eth_sendTransactionSync', [creation]);
  return receipt.contractAddress;
}
