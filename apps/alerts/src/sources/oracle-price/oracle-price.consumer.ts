import { Controller } from '@nestjs/common';
import { EventPattern, Payload } from '@nestjs/microservices';
import type { OraclePriceV1 } from '@plimsoll/contracts';
import type { EventBatch } from '@plimsoll/event-bus';
import { Clock } from '@plimsoll/service-kit';
import { PricesRepository } from '../../prices/prices.repository';
import { nextOracleCondition, oracleKeyOf, oraclePricesOf } from './oracle-condition';
import { OraclePricesRepository } from './oracle-prices.repository';

/** Compares the prices of oracles with the market. A poller opens and resolves the alerts. */
@Controller()
export class OraclePriceConsumer {
  constructor(
    private readonly oracles: OraclePricesRepository,
    private readonly prices: PricesRepository,
    private readonly clock: Clock,
  ) {}

  @EventPattern('oracle-price.v1')
  async handle(@Payload() { events, tx }: EventBatch<OraclePriceV1>): Promise<void> {
    for (const { value } of events) {
      if (value === null) continue;
      const stated = oraclePricesOf(value);
      const known = await this.oracles.lock(
        tx,
        value.protocol,
        value.chainId,
        stated.map(({ token }) => token),
      );
      const byKey = new Map(known.map((condition) => [oracleKeyOf(condition), condition]));
      const market = await this.prices.fresh(tx, [...new Set(stated.map(({ asset }) => asset))]);
      const time = { nowMs: this.clock.now(), heartbeatMs: value.heartbeatMs };
      for (const price of stated) {
        const before = byKey.get(oracleKeyOf(price)) ?? null;
        if (before !== null && price.publishedAtMs <= before.publishedAtMs) byKey.delete(oracleKeyOf(price));
        else
          byKey.set(
            oracleKeyOf(price),
            nextOracleCondition(price, before, market[price.asset] ?? null, time),
          );
      }
      const changed = new Set(stated.map(oracleKeyOf));
      await this.oracles.save(
        tx,
        [...byKey].flatMap(([key, condition]) => (changed.has(key) ? condition : [])),
      );
    }
  }
}
