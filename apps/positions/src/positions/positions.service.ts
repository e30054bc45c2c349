import { Injectable } from '@nestjs/common';
import {
  type Identity,
  type ListPositionsQuery,
  type PositionDetail,
  type PositionKey,
  type PositionList,
  Problem,
  isId,
  notFound,
} from '@plimsoll/contracts';
import type { Address } from 'viem';
import { type Figure, FiguresReader, type FiguresRead } from '../figures/figures-reader';
import { idOf, keyOf } from '../figures/position-key';
import { WalletsRepository } from '../wallets/wallets.repository';
import { PositionKeysRepository } from './position-keys.repository';
import { compareByHealth, pageByHealth } from './position-order';
import { assetsOf, blockStamp, listItem } from './position-view';
import { requestedWallets } from './requested-wallets';

@Injectable()
export class PositionsService {
  constructor(
    private readonly figures: FiguresReader,
    private readonly keys: PositionKeysRepository,
    private readonly wallets: WalletsRepository,
  ) {}

  async list(identity: Identity, { wallet, limit, cursor }: ListPositionsQuery): Promise<PositionList> {
    const wallets =
      wallet === undefined
        ? ((await this.wallets.enabledAddresses(identity.accountId)) as Address[])
        : requestedWallets(wallet, identity.tier);
    const { figures, blocks, unreadable } = await this.figures.read(wallets);
    await this.keys.remember(figures.map(({ position }) => keyOf(position)));
    const items = figures.map((figure) => listItem(figure, blocks)).sort(compareByHealth);
    const { page, nextCursor } = pageByHealth(items, limit, cursor);
    return { positions: page, ...blockStamp(blocks), unreadable, nextCursor };
  }

  async detail(id: string): Promise<PositionDetail> {
    const key = isId('pos', id) ? await this.keys.find(id) : null;
    if (!key) throw notFound('position');
    const read = await this.figures.read([key.wallet as Address], key);
    const figure = read.figures.find(({ position }) => idOf(position) === id) ?? closedFigure(key, read);
    const { position } = figure;
    return {
      ...listItem(figure, read.blocks),
      collateralAssets: assetsOf(position, 'collateral'),
      debtAssets: assetsOf(position, 'debt'),
      updatedAt: new Date(Number(position.blockTimestamp) * 1_000).toISOString(),
      ...blockStamp(read.blocks),
      unreadable: read.unreadable,
    };
  }
}

/** A position that was there once: nothing is left in it at the block that was read. */
function closedFigure(key: PositionKey, { blocks }: FiguresRead): Figure {
  const block = blocks.get(key.chainId);
  if (!block) {
    throw new Problem(
      'upstream_unavailable',
      `Chain ${key.chainId} cannot be read at the moment. Try again after the seconds in Retry-After.`,
      { headers: { 'retry-after': '5' } },
    );
  }
  return {
    band: 'none',
    position: {
      ...key,
      wallet: key.wallet as Address,
      legs: [],
      totalCollateralRaw: 0n,
      totalDebtRaw: 0n,
      priceDecimals: 0,
      healthFactorRaw: null,
      blockNumber: block.number,
      blockHash: block.hash,
      blockTimestamp: block.timestamp,
      isApproximate: false,
    },
  };
}
