import { Injectable } from '@nestjs/common';
import type { Identity, ListWalletsQuery, ListedWallet, WatchedWalletList } from '@plimsoll/contracts';
import { decodeCursor, encodeCursor } from '@plimsoll/service-kit';
import type { Address } from 'viem';
import { totalsInUsd } from '../amounts/totals-in-usd';
import { healthFactorNumber } from '../amounts/units';
import { type Figure, FiguresReader } from '../figures/figures-reader';
import { readStamp } from '../positions/position-view';
import { walletResponse } from '../wallets/wallet-row';
import { type WalletPosition, WalletsRepository } from '../wallets/wallets.repository';
import { OpenAlertsRepository } from './open-alerts.repository';

type Figures = Pick<ListedWallet, 'positionCount' | 'lowestHealthFactor' | 'netWorthUsd'>;

const UNKNOWN: Figures = { positionCount: null, lowestHealthFactor: null, netWorthUsd: null };

/** Lists the watched wallets of an account with the figures of their positions. */
@Injectable()
export class WalletListService {
  constructor(
    private readonly wallets: WalletsRepository,
    private readonly figures: FiguresReader,
    private readonly alerts: OpenAlertsRepository,
  ) {}

  async list(
    { accountId, limits }: Identity,
    { limit, cursor, walletGroupId }: ListWalletsQuery,
  ): Promise<WatchedWalletList> {
    const rows = await this.wallets.list(accountId, walletGroupId, limit + 1, parseCursor(cursor));
    const page = rows.slice(0, limit);
    const last = page.at(-1);
    const hasMore = rows.length > limit && last !== undefined;
    const enabled = page.flatMap((row) => (row.enabled ? [row.address as Address] : []));
    const [read, open] = await Promise.all([
      this.figures.read(enabled),
      this.alerts.countsOf(
        accountId,
        page.map(({ address }) => address),
      ),
    ]);
    const byWallet = figuresByWallet(read.figures);
    return {
      wallets: page.map((row) => {
        const held = byWallet.get(row.address) ?? [];
        const isKnown = row.enabled && (held.length > 0 || read.isRead);
        return {
          ...walletResponse(row),
          ...(isKnown ? figuresOf(held) : UNKNOWN),
          openAlerts: open.get(row.address) ?? 0,
        };
      }),
      count: page.length,
      limit: limits.wallets,
      ...readStamp(read),
      nextCursor: hasMore ? encodeCursor([last.watchedSince.getTime(), last.address]) : null,
    };
  }
}

function figuresByWallet(figures: readonly Figure[]): Map<string, Figure[]> {
  const byWallet = new Map<string, Figure[]>();
  for (const figure of figures) {
    const wallet = figure.position.wallet.toLowerCase();
    byWallet.set(wallet, [...(byWallet.get(wallet) ?? []), figure]);
  }
  return byWallet;
}

function figuresOf(held: readonly Figure[]): Figures {
  const positions = held.map(({ position }) => position);
  const factors = positions.flatMap(({ healthFactorRaw }) => healthFactorRaw ?? []);
  const lowest = factors.length === 0 ? null : factors.reduce((least, each) => (each < least ? each : least));
  return {
    positionCount: positions.length,
    lowestHealthFactor: healthFactorNumber(lowest),
    netWorthUsd: totalsInUsd(positions).netWorthUsd,
  };
}

function parseCursor(cursor: string | undefined): WalletPosition | null {
  const parts = decodeCursor(cursor, ['time', 'string']);
  return parts && { watchedSince: new Date(Number(parts[0])), address: String(parts[1]) };
}
