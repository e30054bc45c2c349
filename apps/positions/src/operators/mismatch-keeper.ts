import { Inject, Injectable } from '@nestjs/common';
import type { Mismatch } from '@plimsoll/protocols';
import { Clock, PeriodicService, withAdvisoryLock } from '@plimsoll/service-kit';
import { Pool } from 'pg';
import { ChainsService } from '../chains/chains.service';
import type { MarketTracker } from '../tracking/market-tracker';
import { needsOperator } from '../verification/mismatch';
import { MismatchStore, type MismatchedPosition } from '../verification/mismatch-store';
import { VerdictWatch } from '../verification/verdict-watch';
import type { Address } from 'viem';

const ROUND_MS = 5_000;
const LOCK = 'plimsoll:positions:mismatches';

/** The followed chains, each with its markets at the newest block. */
type FollowedChains = Pick<ChainsService, 'all'>;

/**
 * Compares stored mismatches again at the newest block, and removes those that agree, or whose position was closed. An
 * alert resolves with its last one. One instance does it at a time.
 */
@Injectable()
export class MismatchKeeper extends PeriodicService {
  constructor(
    @Inject(ChainsService) private readonly chains: FollowedChains,
    private readonly store: MismatchStore,
    private readonly watch: VerdictWatch,
    @Inject(Pool) private readonly pool: Pool,
    private readonly clock: Clock,
  ) {
    super({
      name: 'mismatches',
      everyMs: ROUND_MS,
      waitsFirst: true,
      failure: 'mismatches could not be compared again; the next round tries again',
    });
  }

  async round(): Promise<void> {
    await this.watch.flush();
    await withAdvisoryLock(this.pool, LOCK, () => this.compareAgain());
    await this.store.alerts.measure();
  }

  private async compareAgain(): Promise<void> {
    const chains = this.chains.all().filter(({ headFailure }) => headFailure === null);
    const stored = await this.store.list(chains.map(({ chainId }) => chainId));
    const markets = new Map(
      chains.flatMap((chain) => chain.markets.map((market) => [nameOf(market.reader.row), market] as const)),
    );
    for (const name of new Set(stored.map(nameOf))) {
      const market = markets.get(name);
      const positions = stored.filter((each) => nameOf(each) === name);
      // A row that is no longer read has nothing to compare.
      const agreeing = market ? await agreeingIn(market, positions) : positions;
      for (const position of agreeing) await this.store.remove(position, this.clock.now());
    }
  }
}

function nameOf({
  chainId,
  protocol,
  market,
}: Pick<MismatchedPosition, 'chainId' | 'protocol' | 'market'>): string {
  return `${chainId} ${protocol} ${market}`;
}

/** The positions whose figures agree with the contract at the newest block. None if the market cannot be read. */
async function agreeingIn(
  { reader, figures, failure }: Pick<MarketTracker, 'reader' | 'figures' | 'failure'>,
  positions: readonly MismatchedPosition[],
): Promise<MismatchedPosition[]> {
  if (!figures || failure !== null) return [];
  const wallets = [...new Set(positions.map(({ wallet }) => wallet))];
  const read = await reader.readPositions(wallets, figures.block);
  const unknown = new Set<Address>(
    read.unreadable.flatMap((part) => (part.wallets.length > 0 ? part.wallets : wallets)),
  );
  for (const { wallet, unreadable } of read.positions) if (unreadable !== undefined) unknown.add(wallet);
  const differs = ({ wallet, figure }: Pick<Mismatch, 'wallet' | 'figure'>): boolean =>
    read.mismatches.some((each) => each.wallet === wallet && each.figure === figure && needsOperator(each));
  return positions.filter((position) => !unknown.has(position.wallet) && !differs(position));
}
