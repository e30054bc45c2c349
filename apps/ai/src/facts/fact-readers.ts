import { Injectable } from '@nestjs/common';
import { Clock } from '@plimsoll/service-kit';
import { AlertsReader } from './alerts.reader';
import { MarketReader } from './market.reader';
import { PositionsReader } from './positions.reader';
import { ProtocolNames } from './protocol-names';
import { RiskReader } from './risk.reader';
import { WhalesReader } from './whales.reader';

/** All readers of facts. They write nothing. */
@Injectable()
export class FactReaders {
  constructor(
    readonly positions: PositionsReader,
    readonly risk: RiskReader,
    readonly market: MarketReader,
    readonly protocols: ProtocolNames,
    readonly alerts: AlertsReader,
    readonly whales: WhalesReader,
    readonly clock: Clock,
  ) {}
}
