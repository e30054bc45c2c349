import { Injectable } from '@nestjs/common';
import {
  type Identity,
  type PortfolioAnalytics,
  type PortfolioQuery,
  RISK_THRESHOLDS,
  isId,
  notFound,
} from '@plimsoll/contracts';
import type { Address } from 'viem';
import { type FiguresRead, FiguresReader } from '../figures/figures-reader';
import { idOf, isMarketOf } from '../figures/position-key';
import { PositionKeysRepository } from '../positions/position-keys.repository';
import { readStamp } from '../positions/position-view';
import { selectedWallets } from '../positions/requested-wallets';
import { WalletsRepository } from '../wallets/wallets.repository';
import { portfolioOf } from './portfolio';

@Injectable()
export class PortfolioService {
  constructor(
    private readonly figures: FiguresReader,
    private readonly keys: PositionKeysRepository,
    private readonly wallets: WalletsRepository,
  ) {}

  async portfolio(identity: Identity, query: PortfolioQuery): Promise<PortfolioAnalytics> {
    const read = await this.read(identity, query);
    return { portfolio: portfolioOf(read.figures), riskThresholds: RISK_THRESHOLDS, ...readStamp(read) };
  }

  private async read({ accountId, tier }: Identity, query: PortfolioQuery): Promise<FiguresRead> {
    const named = selectedWallets(query, tier);
    const { positionId } = query;
    if (positionId !== undefined) return this.readOne(positionId);
    return this.figures.read(named ?? ((await this.wallets.enabledAddresses(accountId)) as Address[]));
  }

  private async readOne(positionId: string): Promise<FiguresRead> {
    const key = isId('pos', positionId) ? await this.keys.find(positionId) : null;
    if (!key) throw notFound('position');
    const read = await this.figures.read([key.wallet as Address], (row) => isMarketOf(row, key));
    return { ...read, figures: read.figures.filter(({ position }) => idOf(position) === positionId) };
  }
}
