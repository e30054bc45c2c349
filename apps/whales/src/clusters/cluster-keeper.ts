import { Injectable } from '@nestjs/common';
import { PeriodicService, Clock } from '@plimsoll/service-kit';
import { WhalesConfig } from '../config';
import { ChainsService } from '../indexing/chains.service';
import { clusterCount, clusterFailures, clusterSeconds } from '../metrics';
import { ClusterFinder } from './cluster-finder';
import { ClustersRepository } from './clusters.repository';

/** Many wallets of many chains are valued again. */
const ROUND_DEADLINE_MS = 10 * 60_000;

/** Computes the clusters at intervals. */
@Injectable()
export class ClusterKeeper extends PeriodicService {
  constructor(
    config: WhalesConfig,
    private readonly chains: ChainsService,
    private readonly finder: ClusterFinder,
    private readonly clusters: ClustersRepository,
    private readonly clock: Clock,
  ) {
    super({
      name: 'clusters',
      everyMs: config.CLUSTER_INTERVAL_MS,
      waitsFirst: true,
      failure: 'the clusters could not be computed; the previous ones remain',
      deadlineMs: ROUND_DEADLINE_MS,
      random: () => clock.random(),
    });
  }

  protected async round(): Promise<void> {
    // A family with incomplete data could be taken for two.
    const chains = this.chains.all().filter((chain) => chain.isCaughtUp());
    if (chains.length < this.chains.all().length) return;
    const end = clusterSeconds.startTimer();
    try {
      const found = await this.finder.find(chains, this.clock.random);
      await this.clusters.replace(found, this.clock.now());
      clusterCount.set(found.length);
      end();
    } catch (error) {
      clusterFailures.inc();
      throw error;
    }
  }
}
