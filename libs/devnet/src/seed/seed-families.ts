import { encodeFunctionData, maxUint256, numberToHex, parseAbi, parseEther, type Address } from 'viem';
import { poolAbi, tokenAbi } from '../aave/abis';
import { devnetAsset, type DevnetAddresses } from '../addresses';
import { connectAnvil, type AnvilRpc } from '../evm/rpc';
import { TransactionQueue } from '../evm/transaction-queue';
import { demoWallet } from './wallets';

const transferAbi = parseAbi(['function transfer(address to, uint256 amount) returns (bool)']);

/** The families among the wallets of the local market. Addresses are checksummed, as in viem. */
export interface SeededFamilies {
  /** The first of each funded the others. */
  families: Address[][];
  /** Wallets that belong to no family, although they paid each other a few times. */
  strangers: Address[];
}

const FAMILY_SIZES = [6, 4, 3];
const STRANGERS = 9;
/** Demo wallets of the positions have lower indices. */
const FIRST_INDEX = 1_000;
const SYMBOL = 'WETH';
const UNIT = 10n ** 18n;
/** The supply of each wallet. */
const SUPPLY = 200n * UNIT;
const PAYMENT = 2n * UNIT;
const GAS = 450_000n;

/** Returns the wallets without access to a chain. */
function families(): SeededFamilies {
  let next = FIRST_INDEX;
  const wallets = (count: number): Address[] =>
    Array.from({ length: count }, () => demoWallet((next += 1)).address);
  return { families: FAMILY_SIZES.map(wallets), strangers: wallets(STRANGERS) };
}

/**
 * Lets families of wallets, and strangers, act on a market so that their transactions are evidence: the head
 * of a family funds its members, one supplies for another, positions move between them. Strangers have their
 * own tokens, supply them, and pay each other once.
 */
export async function seedFamilies(rpcUrl: string, addresses: DevnetAddresses): Promise<SeededFamilies> {
  const rpc = connectAnvil(rpcUrl);
  const seeded = families();
  const heads = seeded.families.map(([head]) => head!);
  const members = seeded.families.flatMap(([, ...others]) => others);
  const all = [...heads, ...members, ...seeded.strangers];
  await Promise.all(
    all.flatMap((wallet) => [
      rpc.request('anvil_setBalance', [wallet, numberToHex(parseEther('10'))]),
      rpc.request('anvil_impersonateAccount', [wallet]),
    ]),
  );
  const { operator, pool } = addresses;
  const token = devnetAsset(addresses, SYMBOL);
  const mint = (to: Address, amount: bigint): `0x${string}` =>
    encodeFunctionData({ abi: tokenAbi, functionName: 'mint', args: [to, amount] });
  const give = (to: Address, amount: bigint): `0x${string}` =>
    encodeFunctionData({ abi: transferAbi, functionName: 'transfer', args: [to, amount] });
  const supply = (onBehalfOf: Address): `0x${string}` =>
    encodeFunctionData({
      abi: poolAbi,
      functionName: 'supply',
      args: [token.address, SUPPLY, onBehalfOf, 0],
    });
  // Transactions of different senders have no order, so those that depend on others are sent a stage later.
  await stage(rpc, [operator], (queue) => {
    for (const [head, ...others] of seeded.families) {
      queue.call(operator, 'mint', token.address, mint(head!, SUPPLY * BigInt(others.length + 2)), GAS);
    }
    for (const stranger of seeded.strangers) {
      queue.call(operator, 'mint', token.address, mint(stranger, SUPPLY + PAYMENT), GAS);
    }
  });
  await stage(rpc, heads, (queue) => {
    for (const [head, ...others] of seeded.families) {
      for (const member of others) queue.call(head!, 'fund', token.address, give(member, SUPPLY), GAS);
    }
  });
  await stage(rpc, all, (queue) => {
    const approve = encodeFunctionData({ abi: tokenAbi, functionName: 'approve', args: [pool, maxUint256] });
    for (const wallet of all) {
      queue.call(wallet, 'approve', token.address, approve, GAS);
      queue.call(wallet, 'supply', pool, supply(wallet), GAS);
    }
  });
  await stage(rpc, all, (queue) => {
    for (const [head, first, second] of seeded.families) {
      queue.call(head!, 'supply for another', pool, supply(first!), GAS);
      queue.call(first!, 'move a position', token.aToken, give(second!, SUPPLY / 4n), GAS);
    }
    seeded.strangers.forEach((stranger, at) => {
      const other = seeded.strangers[(at + 1) % STRANGERS]!;
      queue.call(stranger, 'pay', token.address, give(other, PAYMENT), GAS);
    });
  });
  await Promise.all(all.map((wallet) => rpc.request('anvil_stopImpersonatingAccount', [wallet])));
  return seeded;
}

async function stage(
  rpc: AnvilRpc,
  senders: readonly Address[],
  write: (queue: TransactionQueue) => void,
): Promise<void> {
  const queue = await TransactionQueue.open(rpc, senders);
  write(queue);
  await queue.flush();
}
