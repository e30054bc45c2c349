import { Injectable } from '@nestjs/common';
import { Clock } from '@plimsoll/service-kit';
import { ChainStates } from '../chains/chain-states';
import { MarketDataConfig } from '../config';
import { Leader } from '../leadership/leader';
import { globalRiskIndex, indexComponents } from './index-components';
import { IndexInputsReader } from './index-inputs';
import { trendOf } from './risk-responses';
import { RiskRepository, hourOf } from './risk.repository';

/** Computes the index repeatedly. The last value of each hour is kept. */
@Injectable()
export class IndexKeeper {
  constructor(
    config: MarketDataConfig,
    private readonly clock: Clock,
    private readonly chains: ChainStates,
    private readonly inputs: IndexInputsReader,
    private readonly repository: RiskRepository,
    leader: Leader,
  ) {
    leader.repeat({
      name: 'risk-index',
      everyMs: config.INDEX_INTERVAL_MS,
      round: () => this.measure(),
      failure: 'the index could not be computed; the previous one remains',
    });
  }

  private async measure(): Promise<void> {
    const nowMs = this.clock.now();
    const hourMs = hourOf(nowMs);
    const states = await this.chains.all();
    await this.repository.saveTvl(hourMs, states);
    const inputs = await this.inputs.read(states, nowMs);
    if (inputs === null) return;
    const components = indexComponents(inputs);
    const gri = globalRiskIndex(components);
    const trend = trendOf(gri, await this.repository.dayAgo(hourMs));
    await this.repository.save({ hourMs, gri, trend, components, measuredAtMs: nowMs });
  }
}
