import { Injectable } from '@nestjs/common';
import {
  type BatchPositionsBody,
  type PositionBatch,
  type PositionScan,
  RISK_THRESHOLDS,
  type ScanPositionsBody,
  type Unreadable,
  invalidRequest,
  parseAddress,
} from '@plimsoll/contracts';
import type { MarketRow } from '@plimsoll/evm';
import { AccountSlots } from '@plimsoll/service-kit';
import type { Address } from 'viem';
import { ChainsService } from '../chains/chains.service';
import { type FiguresRead, FiguresReader } from '../figures/figures-reader';
import { totalsInUsd } from '../amounts/totals-in-usd';
import { PositionKeysRepository } from '../positions/position-keys.repository';
import { compareByHealth } from '../positions/position-order';
import { listItem, readStamp } from '../positions/position-view';

/** The group of scans, batches and reads of balances. */
export const SCANS = 'scans';
/** Those that run in a process. More would only slow each other down. */
export const SHARED_SCANS = { total: 4, perAccount: 1 };

/** All holdings of wallets, in one response. */
@Injectable()
export class ScansService {
  constructor(
    private readonly chains: ChainsService,
    private readonly figures: FiguresReader,
    private readonly keys: PositionKeysRepository,
    private readonly slots: AccountSlots,
  ) {}

  async scan(accountId: string, { wallet, chains }: ScanPositionsBody): Promise<PositionScan> {
    const address = parseAddress(wallet, 'wallet');
    const unconfigured = this.unconfigured(chains ?? []);
    const wanted = chains && new Set(chains);
    const read = await this.read(accountId, [address], ({ chainId }) => wanted?.has(chainId) ?? true);
    const positions = read.figures.map(({ position }) => position);
    const stamp = readStamp(read);
    return {
      positions: itemsOf(read),
      ...totalsInUsd(positions),
      protocols: [...new Set(positions.map(({ protocol }) => protocol))].sort(),
      riskThresholds: RISK_THRESHOLDS,
      ...stamp,
      unreadable: [...stamp.unreadable, ...unconfigured],
      chainStatus: {
        ...stamp.chainStatus,
        ...Object.fromEntries(unconfigured.map(({ chainId }) => [chainId, 'unconfigured' as const])),
      },
    };
  }

  async batch(accountId: string, { wallets }: BatchPositionsBody): Promise<PositionBatch> {
    const asked = new Set(wallets.map((wallet, index) => parseAddress(wallet, `wallets[${index}]`)));
    const read = await this.read(accountId, [...asked]);
    return {
      positions: itemsOf(read),
      count: read.figures.length,
      walletsQueried: asked.size,
      riskThresholds: RISK_THRESHOLDS,
      ...readStamp(read),
    };
  }

  private async read(
    accountId: string,
    wallets: readonly Address[],
    isWanted?: (row: MarketRow) => boolean,
  ): Promise<FiguresRead> {
    const read = await this.figures.read(wallets, isWanted);
    await this.slots.yieldToLighter(SCANS, accountId);
    await this.keys.store(read.figures.map(({ position }) => position));
    return read;
  }

  /**
   * The protocols of requested chains that have no node here.
   * @throws invalid_request for a chain that the registry does not know
   */
  private unconfigured(chainIds: readonly number[]): Unreadable[] {
    const followed = new Set(this.chains.all().map(({ chainId }) => chainId));
    const known = chainIds.map((chainId) => ({ chainId, protocols: this.chains.protocolsOn(chainId) }));
    const unknown = known.flatMap(({ chainId, protocols }, index) =>
      protocols ? [] : [{ field: `chains[${index}]`, code: 'unknown_chain', message: unknownChain(chainId) }],
    );
    if (unknown.length > 0) throw invalidRequest(unknown);
    return known
      .filter(({ chainId }, index) => !followed.has(chainId) && chainIds.indexOf(chainId) === index)
      .flatMap(({ chainId, protocols }) =>
        protocols!.map((protocol) => ({ protocol, chainId, reason: 'unconfigured' })),
      );
  }
}

function itemsOf({ figures, blocks }: FiguresRead): PositionScan['positions'] {
  return figures.map((figure) => listItem(figure, blocks)).sort(compareByHealth);
}

function unknownChain(chainId: number): string {
  return `Chain ${chainId} is not covered. GET /v1/chains lists the ids.`;
}
