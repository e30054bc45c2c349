import {
  type BlockRef,
  type ChainLog,
  contractOf,
  lowerCase,
  optionalContractOf,
  readAll,
} from '@plimsoll/evm';
import { type Address, maxUint256, slice, toEventSelector } from 'viem';
import { factoryAbi } from './abi';
import { eulerAccountOf } from './math';
import type { IndexSource, ReadScope, RowScope } from '../reader/family';

/** Events of the EVC that name an account which may hold something in a vault. */
const ACCOUNT_TOPICS = [
  toEventSelector('CollateralStatus(address,address,bool)'),
  toEventSelector('ControllerStatus(address,address,bool)'),
];
const TRANSFER = toEventSelector('Transfer(address,address,uint256)');
/** A vault that is created later changes only the last source. */
const VAULTS_PER_SOURCE = 200;

const filedUnder = (wallet: Address): Address => eulerAccountOf(wallet, '00');

/** The vaults that the factory created. None if the row has no factory. @throws ChainReadError */
export async function readVaults(scope: RowScope, block: BlockRef): Promise<Address[]> {
  const factory = optionalContractOf(scope.row.contracts, 'eVaultFactory');
  if (!factory) return [];
  const vaults = await readAll(scope, 'vaults', block, (plan) =>
    plan.call(factory, factoryAbi, 'getProxyListSlice', [0n, maxUint256]),
  );
  return vaults.map(lowerCase);
}

/**
 * The vaults that an account enabled in the EVC, and the shares that it received from the vaults of the factory. An entry is the last
 * byte of the account, with the vault of a transfer. @throws ChainReadError
 */
export async function readEulerIndex(scope: ReadScope, block: BlockRef): Promise<IndexSource[]> {
  const { row } = scope;
  const enabled: IndexSource = {
    addresses: [contractOf(row, 'evc')],
    topics: ACCOUNT_TOPICS,
    entriesOf: ({ topics }) => entryOf(slice(topics[1]!, 12)),
    filedUnder,
  };
  const vaults = await readVaults(scope, block);
  const sources = Array.from({ length: Math.ceil(vaults.length / VAULTS_PER_SOURCE) }, (_, index) => ({
    name: `shares-${index}`,
    addresses: vaults.slice(index * VAULTS_PER_SOURCE, (index + 1) * VAULTS_PER_SOURCE),
    topics: [TRANSFER],
    entriesOf: ({ address, topics }: ChainLog) =>
      topics[2] ? entryOf(slice(topics[2], 12), lowerCase(address)) : [],
    filedUnder,
  }));
  return [enabled, ...sources];
}

function entryOf(account: Address, vault?: Address): { wallet: Address; subId: string }[] {
  const lastByte = account.slice(-2);
  return [{ wallet: filedUnder(account), subId: vault ? `${lastByte} ${vault}` : lastByte }];
}
