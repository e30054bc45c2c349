import { Injectable } from '@nestjs/common';
import {
  type Identity,
  type ListPositionsQuery,
  type PositionDetail,
  type PositionKey,
  type PositionList,
  type PositionQuery,
  Problem,
  RISK_THRESHOLDS,
  invalidRequest,
  isId,
  notFound,
  riskLevelOf,
} from '@plimsoll/contracts';
import type { MarketRow } from '@plimsoll/evm';
import type { Address } from 'viem';
import { type Figure, FiguresReader, type FiguresRead } from '../figures/figures-reader';
import { idOf, isMarketOf } from '../figures/position-key';
import { storedPosition } from '../figures/stored-position';
import { ReceiptsService } from '../receipts/receipts.service';
import { unknownGroup } from '../wallets/wallet-groups.repository';
import { WalletsRepository } from '../wallets/wallets.repository';
import { PositionKeysRepository } from './position-keys.repository';
import { compareBy, matches, pageOfPositions } from './position-order';
import { listItem, positionAssets, readStamp } from './position-view';
import { requestedWallets } from './requested-wallets';

const NO_DEBT = { ...riskLevelOf(null, null), probability7d: null };

@Injectable()
export class PositionsService {
  constructor(
    private readonly figures: FiguresReader,
    private readonly keys: PositionKeysRepository,
    private readonly wallets: WalletsRepository,
    private readonly receipts: ReceiptsService,
  ) {}

  async list(identity: Identity, query: ListPositionsQuery): Promise<PositionList> {
    const { limit, include, sort } = query;
    const read = await this.figures.read(await this.walletsOf(identity, query));
    const { figures, blocks } = read;
    await this.keys.store(figures.map(({ position }) => position));
    const items = figures
      .map((figure) => listItem(figure, blocks))
      .filter((item) => matches(query, item))
      .sort(compareBy(sort));
    const { page, nextCursor } = pageOfPositions(items, limit, query);
    const byId = new Map(figures.map(({ position }) => [idOf(position), position]));
    const positions =
      include === undefined ? page : page.map((item) => ({ ...item, ...positionAssets(byId.get(item.id)!) }));
    return { positions, riskThresholds: RISK_THRESHOLDS, ...readStamp(read), nextCursor };
  }

  private async walletsOf(
    { accountId, tier }: Identity,
    { wallet, walletGroupId }: ListPositionsQuery,
  ): Promise<Address[]> {
    if (walletGroupId === undefined) {
      if (wallet !== undefined) return requestedWallets(wallet, tier);
      return (await this.wallets.enabledAddresses(accountId)) as Address[];
    }
    const message = 'Name either wallet or walletGroupId.';
    if (wallet !== undefined) throw invalidRequest([{ field: 'walletGroupId', code: 'unexpected', message }]);
    const wallets = await this.wallets.enabledInGroup(accountId, walletGroupId);
    if (!wallets) throw invalidRequest([unknownGroup('walletGroupId')]);
    return wallets as Address[];
  }

  async detail({ accountId }: Identity, id: string, { receipt }: PositionQuery): Promise<PositionDetail> {
    const key = isId('pos', id) ? await this.keys.find(id) : null;
    if (!key) throw notFound('position');
    // A receipt needs a reading of its own, which is exact.
    const isHeldOnly = receipt !== undefined;
    const isWanted = (row: MarketRow): boolean => isMarketOf(row, key);
    const read = await this.figures.read([key.wallet as Address], isWanted, isHeldOnly);
    const known = read.figures.find(({ position }) => idOf(position) === id) ?? closedFigure(id, key, read);
    const made = receipt && (await this.receipts.make(accountId, known.position, receipt));
    const figure = made ? this.figures.figureOf(made.position) : known;
    return {
      ...listItem(figure, read.blocks),
      ...positionAssets(figure.position),
      riskThresholds: RISK_THRESHOLDS,
      ...readStamp(read),
      ...(made && { receipt: made.receipt }),
    };
  }
}

/**
 * A closed position, at the block that was read or in its stored state.
 * @throws upstream_unavailable when neither confirms that it was closed
 */
function closedFigure(id: string, key: PositionKey, { blocks, closed, isRead }: FiguresRead): Figure {
  const stored = closed.find((event) => event.id === id);
  if (stored) return { level: NO_DEBT, position: storedPosition(stored) };
  const block = isRead && blocks.get(key.chainId);
  if (!block) {
    throw new Problem(
      'upstream_unavailable',
      `The position cannot be read on chain ${key.chainId} at the moment, and no state of it is stored. Try again after the seconds in Retry-After.`,
      { headers: { 'retry-after': '5' } },
    );
  }
  return {
    level: NO_DEBT,
    position: {
      ...key,
      wallet: key.wallet as Address,
      legs: [],
      totalCollateralRaw: 0n,
      totalDebtRaw: 0n,
      priceDecimals: 0,
      usdPerBaseRaw: 10n ** 18n,
      flags: [],
      healthFactorRaw: null,
      blockNumber: block.number,
      blockHash: block.hash,
      blockTimestamp: block.timestamp,
      verification: null,
    },
  };
}
