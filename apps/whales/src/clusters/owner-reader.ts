import { Injectable } from '@nestjs/common';
import { PlanBuilder, readHeadAt } from '@plimsoll/evm';
import { EVIDENCE_WEIGHT, type Evidence } from '@plimsoll/whale-clusters';
import { type Address, parseAbi, zeroAddress } from 'viem';
import type { ChainAccess, Cursor } from '../indexing/chain-access';

const abi = parseAbi([
  'function owner() view returns (address)',
  'function getOwners() view returns (address[])',
]);
/** An owner of more contracts is a factory or a protocol. */
const MOST_OWNED = 20;

/** Finds contract wallets with one owner: proxies, and Safes with a single key. */
@Injectable()
export class OwnerReader {
  /** @throws ChainReadError */
  async read(
    { client, multicall }: ChainAccess,
    wallets: readonly Address[],
    at: Cursor,
  ): Promise<Evidence[]> {
    const block = await readHeadAt(client, at.block);
    if (!block || wallets.length === 0) return [];
    const plan = new PlanBuilder(client.chainId, 'owners of wallets');
    const slots = wallets.map((wallet) => ({
      wallet,
      owner: plan.call(wallet, abi, 'owner', []),
      owners: plan.call(wallet, abi, 'getOwners', []),
    }));
    const owned = await multicall.read(
      plan.build(({ outcome }) =>
        slots.flatMap(({ wallet, owner, owners }) => {
          const [one, several] = [outcome(owner), outcome(owners)];
          const [single, ...more] = several.ok ? several.value : one.ok ? [one.value] : [];
          const isOwned = single && more.length === 0 && single !== zeroAddress;
          return isOwned ? [{ wallet, by: single.toLowerCase() }] : [];
        }),
      ),
      block,
    );
    const counts = new Map<string, number>();
    for (const { by } of owned) counts.set(by, (counts.get(by) ?? 0) + 1);
    return owned
      .filter(({ by }) => (counts.get(by) ?? 0) <= MOST_OWNED)
      .map(({ wallet, by }) => ({
        a: by,
        b: wallet,
        kind: 'owner',
        weight: EVIDENCE_WEIGHT.owner,
        block: Number(at.block),
      }));
  }
}
