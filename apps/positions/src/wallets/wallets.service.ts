import { Injectable } from '@nestjs/common';
import { tierWithMore } from '@plimsoll/access';
import {
  type Identity,
  type PageQuery,
  Problem,
  type WatchWalletBody,
  type WatchedWallet,
  type WatchedWalletList,
  notFound,
  checksumAddress,
  parseAddress,
} from '@plimsoll/contracts';
import { type Commit, type Committed, decodeCursor, encodeCursor } from '@plimsoll/service-kit';
import { TrackedWallets } from '../tracking/tracked-wallets';
import { walletResponse } from './wallet-row';
import { type WalletPosition, WalletsRepository } from './wallets.repository';

@Injectable()
export class WalletsService {
  constructor(
    private readonly repository: WalletsRepository,
    private readonly tracked: TrackedWallets,
  ) {}

  async list({ accountId, limits }: Identity, { limit, cursor }: PageQuery): Promise<WatchedWalletList> {
    const rows = await this.repository.list(accountId, limit + 1, parseCursor(cursor));
    const page = rows.slice(0, limit);
    const last = page.at(-1);
    const hasMore = rows.length > limit && last !== undefined;
    return {
      wallets: page.map(walletResponse),
      count: page.length,
      limit: limits.wallets,
      nextCursor: hasMore ? encodeCursor([last.watchedSince.getTime(), last.address]) : null,
    };
  }

  /** 201 for a wallet that is new, 200 for one that was watched before. */
  async watch(
    { accountId, tier, limits }: Identity,
    { address: text, label }: WatchWalletBody,
    commit: Commit,
  ): Promise<Committed<WatchedWallet>> {
    const address = parseAddress(text, 'address');
    const watched = await commit(async (tx) => {
      const outcome = await this.repository.watch(tx, { accountId, address, label }, limits.wallets);
      if (!outcome) {
        const requiredTier = tierWithMore(tier, 'wallets');
        throw new Problem(
          'quota_reached',
          `This account watches ${limits.wallets} wallets, which is its limit. Delete one of them, or move to a higher tier.`,
          { ...(requiredTier && { requiredTier }) },
        );
      }
      return { status: outcome.isNew ? 201 : 200, body: walletResponse(outcome.wallet) };
    });
    if (watched.committed.body.enabled) this.tracked.add(address);
    return watched;
  }

  async unwatch({ accountId, limits }: Identity, text: string): Promise<string> {
    const address = parseAddress(text, 'address');
    if (!(await this.repository.unwatch(accountId, address, limits.wallets)))
      throw notFound('watched wallet');
    this.tracked.refreshSoon();
    return checksumAddress(address);
  }
}

function parseCursor(cursor: string | undefined): WalletPosition | null {
  const parts = decodeCursor(cursor, ['time', 'string']);
  return parts && { watchedSince: new Date(Number(parts[0])), address: String(parts[1]) };
}
