import { planOf, type MinedLog, contractOf, lowerCase } from '@plimsoll/evm';
import { toEventSelector, zeroAddress, type Address } from 'viem';
import { NATIVE, fluidAbi, readVaults } from './layout';
import { addUsdPrice } from '../reader/usd-price';
import type { Activity } from '../activity/activity';
import type { ActivityFamily, ActivityScope } from '../activity/activity-family';
import { EventTable } from '../activity/event-table';
import { addressAt, eventLayout, fits, uintAt } from '../activity/log-words';
import { movedNfts, type NftAmounts, nftMoves } from '../activity/nft-moves';
import {
  NFT_TRANSFER,
  type NftAtLog,
  type NftOwners,
  nftKey,
  nftTransfer,
  readNftOwners,
} from '../activity/nft-owners';

const VAULT_MADE = toEventSelector('VaultDeployed(address,uint256)');
const [DEBT, COLLATERAL] = [{ of: 'loan' }, { of: 'collateral' }] as const;
const own = { wallet: { ownerOf: 'nftId_' }, counterparty: 'user_' } as const;
const events = new EventTable({
  'event LogOperate(address user_, uint256 nftId_, int256 colAmt_, int256 debtAmt_, address to_)': [
    { action: 'supply', amount: 'colAmt_', sign: 'positive', token: COLLATERAL, ...own },
    { action: 'repay', amount: 'debtAmt_', sign: 'negative', token: DEBT, ...own },
    { action: 'borrow', amount: 'debtAmt_', sign: 'positive', token: DEBT, ...own },
    { action: 'withdraw', amount: 'colAmt_', sign: 'negative', token: COLLATERAL, ...own },
  ],
});

/** It moves all positions of the ticks above a price, and names none of them. */
const LIQUIDATED = eventLayout(
  'event LogLiquidate(address liquidator_, uint256 colAmt_, uint256 debtAmt_, address to_)',
);

interface FluidVaults {
  factory: Address;
  /** The collateral and debt of each vault: a token, or for a smart side the DEX whose shares count. */
  vaults: ReadonlyMap<Address, { supply: Address; borrow: Address }>;
  /** Owners in the range that was read last. */
  owners: NftOwners;
  amounts: NftAmounts;
  /** Vaults of the positions that were given away in this range. */
  vaultOf: ReadonlyMap<bigint, Address>;
}

/** Fluid: one row is the resolver of a chain. A sub-id is the NFT of a position. */
export const fluidActivity: ActivityFamily<FluidVaults> = {
  events,
  noticeTopics: [NFT_TRANSFER, VAULT_MADE, LIQUIDATED.topic0],
  readSource: async (scope, block) => {
    const { row, multicall } = scope;
    const [resolver, factory] = [contractOf(row, 'vaultResolver'), contractOf(row, 'vaultFactory')];
    const addresses = await readVaults(scope, block);
    const plan = planOf(row, 'vaults');
    const slots = addresses.map((vault) => ({
      vault,
      data: plan.call(resolver, fluidAbi, 'getVaultEntireData', [vault]),
    }));
    const vaults = await multicall.read(
      plan.build(({ outcome }) =>
        slots.flatMap(({ vault, data }) => {
          const result = outcome(data);
          if (!result.ok) return [];
          const { constants, isSmartCol, isSmartDebt } = result.value;
          const { supply, borrow, supplyToken, borrowToken } = constants;
          const sides = {
            supply: tokenOf(isSmartCol ? supply : supplyToken.token0),
            borrow: tokenOf(isSmartDebt ? borrow : borrowToken.token0),
          };
          return [[vault, sides] as const];
        }),
      ),
      block,
    );
    return { factory, vaults: new Map(vaults), owners: new Map(), amounts: new Map(), vaultOf: new Map() };
  },
  addressesOf: ({ factory, vaults }) => [factory, ...vaults.keys()],
  learn: async (scope, source, logs, block) => {
    const isMade = logs.some(({ topics }) => topics[0] === VAULT_MADE);
    const known = isMade ? await fluidActivity.readSource(scope, block) : source;
    const named: NftAtLog[] = [];
    for (const log of logs) {
      const ownerOf = (id: string): null => {
        named.push({ nft: known.factory, id: BigInt(id), log });
        return null;
      };
      events.read(log, { tokenOf: () => null, ownerOf });
    }
    const owners = await readNftOwners(scope, named, logs, block);
    return { ...known, owners, ...(await readGifts(scope, logs, block)) };
  },
  tokenOf: ({ vaults }, of, log) => {
    const vault = vaults.get(lowerCase(log.address));
    return (of === 'loan' ? vault?.borrow : vault?.supply) ?? null;
  },
  ownerOf: ({ factory, owners }, key, log) => {
    const id = BigInt(key);
    const wallet = owners.get(nftKey({ nft: factory, id, log }));
    return wallet ? { wallet, subId: String(id) } : null;
  },
  compose: ({ vaults, amounts, vaultOf }, logs) => [
    ...nftMoves(logs, amounts, (_log, id) => {
      const token = vaults.get(vaultOf.get(id) ?? zeroAddress)?.supply;
      return token ? { token, subId: String(id) } : null;
    }),
    ...logs.flatMap((log) => liquidationOf(log, vaults) ?? []),
  ],
  addUsdPrice: (plan, { usdOracles }, _source, token) => addUsdPrice(plan, usdOracles, token),
};

/** The liquidation belongs to the vault, whose positions share the loss. The log names none of them. */
function liquidationOf(log: MinedLog, vaults: FluidVaults['vaults']): Activity | null {
  const vault = lowerCase(log.address);
  const sides = vaults.get(vault);
  if (!sides || log.topics[0] !== LIQUIDATED.topic0 || !fits(log, LIQUIDATED)) return null;
  const amountRaw = uintAt(log, LIQUIDATED.positionOf('debtAmt_'));
  if (amountRaw === 0n) return null;
  const counterparty = addressAt(log, LIQUIDATED.positionOf('liquidator_'));
  return {
    log,
    action: 'liquidation',
    wallet: vault,
    counterparty,
    token: sides.borrow,
    amountRaw,
    subId: '',
  };
}

function tokenOf(address: Address): Address {
  const token = lowerCase(address);
  return token === NATIVE ? zeroAddress : token;
}

/** Reads the collateral of positions that were given away, and their vaults. */
async function readGifts(
  { row, multicall }: ActivityScope,
  logs: readonly MinedLog[],
  head: Parameters<typeof readNftOwners>[3],
): Promise<Pick<FluidVaults, 'amounts' | 'vaultOf'>> {
  const [resolver, factory] = [contractOf(row, 'vaultResolver'), contractOf(row, 'vaultFactory')];
  const vaultOf = new Map<bigint, Address>();
  const isOwn = ({ address }: MinedLog): boolean => lowerCase(address) === factory;
  const amounts = await movedNfts(multicall, logs, head, isOwn, (moved) => {
    const plan = planOf(row, 'positions that were given away');
    const slots = moved.map((log) => {
      const { id } = nftTransfer(log);
      return {
        id,
        vault: plan.call(resolver, fluidAbi, 'vaultByNftId', [id]),
        position: plan.call(resolver, fluidAbi, 'positionByNftId', [id]),
      };
    });
    return plan.build(({ outcome }) =>
      slots.map(({ id, vault, position }) => {
        const [at, held] = [outcome(vault), outcome(position)];
        if (at.ok) vaultOf.set(id, lowerCase(at.value));
        return held.ok ? { ok: true, value: held.value.supply } : held;
      }),
    );
  });
  return { amounts, vaultOf };
}
