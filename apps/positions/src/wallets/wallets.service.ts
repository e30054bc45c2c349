import { Injectable } from '@nestjs/common';
import { tierWithMore } from '@plimsoll/access';
import {
  type Identity,
  Problem,
  type Tier,
  type UpdateWalletBody,
  type WatchWalletBody,
  type WatchedWallet,
  notFound,
  checksumAddress,
  parseAddress,
} from '@plimsoll/contracts';
import type { Commit, Committed } from '@plimsoll/service-kit';
import { TrackedWallets } from '../tracking/tracked-wallets';
import { walletResponse } from './wallet-row';
import { WalletsRepository } from './wallets.repository';

@Injectable()
export class WalletsService {
  constructor(
    private readonly repository: WalletsRepository,
    private readonly tracked: TrackedWallets,
  ) {}

  /** 201 for a wallet that is new, 200 for one that was watched before. */
  async watch(
    { accountId, tier, limits }: Identity,
    { address: text, label, walletGroupIds: groupIds }: WatchWalletBody,
    commit: Commit,
  ): Promise<Committed<WatchedWallet>> {
    const address = parseAddress(text, 'address');
    const watched = await commit(async (tx) => {
      const outcome = await this.repository.watch(
        tx,
        { accountId, address },
        { label, groupIds },
        limits.wallets,
      );
      if (!outcome) throw quotaReached(tier, limits.wallets);
      return { status: outcome.isNew ? 201 : 200, body: walletResponse(outcome.wallet) };
    });
    if (watched.committed.body.enabled) this.tracked.add(address);
    return watched;
  }

  /** @throws not_found; invalid_request for an unknown group */
  async update(
    { accountId }: Identity,
    text: string,
    { label, walletGroupIds: groupIds }: UpdateWalletBody,
  ): Promise<WatchedWallet> {
    const address = parseAddress(text, 'address');
    const wallet = await this.repository.update(accountId, address, { label, groupIds });
    if (!wallet) throw notFound('watched wallet');
    return walletResponse(wallet);
  }

  async unwatch({ accountId, limits }: Identity, text: string): Promise<string> {
    const address = parseAddress(text, 'address');
    if (!(await this.repository.unwatch(accountId, address, limits.wallets)))
      throw notFound('watched wallet');
    this.tracked.refreshSoon();
    return checksumAddress(address);
  }
}

/** The refusal of a wallet above the cap of the account. */
export function quotaReached(tier: Tier, cap: number | null): Problem {
  const requiredTier = tierWithMore(tier, 'wallets');
  return new Problem('quota_reached', aboveCap(cap), { ...(requiredTier && { requiredTier }) });
}

export const aboveCap = (cap: number | null): string =>
  `This account watches ${cap} wallets, which is its limit. Delete one of them, or move to a higher tier.`;
