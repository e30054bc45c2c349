import { IsIn } from 'class-validator';
import { JSONSchema } from 'class-validator-jsonschema';
import {
  SEVERITIES,
  type Severity,
  INCIDENT_FACTS,
  INCIDENT_STATES,
  INCIDENT_TRIGGERS,
  type IncidentFactKind,
  type IncidentState,
  type IncidentTrigger,
} from '../../alerts';
import { BANDS, type Band } from '../../risk/bands';
import {
  ALERT_ID,
  Example,
  Field,
  INCIDENT_ID,
  Optional,
  POSITION_ID,
  PageQuery,
  TIMESTAMP,
} from '../fields';

const INCIDENT = {
  id: INCIDENT_ID,
  status: 'open',
  severity: 'critical',
  title: 'Liquidation risk in aave-v3 on chain 1',
  trigger: 'critical_alert',
  protocol: 'aave-v3',
  chainId: 1,
  alertCount: 1,
  openedAt: TIMESTAMP,
  closedAt: null,
};

/** Query of GET /v1/incidents. */
export class ListIncidentsQuery extends PageQuery {
  @JSONSchema({ description: 'Only incidents in this state. Both when absent.' })
  @Optional()
  @IsIn(INCIDENT_STATES)
  status?: IncidentState;
}

/** List form of an incident. */
export class IncidentItem {
  @Field.Id('inc', 'Id of the incident, for POST /v1/ai/postmortem.') id!: string;

  @Field.Word(INCIDENT_STATES, 'closed: all its alerts have resolved.')
  status!: IncidentState;

  @Field.Word(SEVERITIES, 'Highest severity of its alerts.') severity!: Severity;
  @Field.Text('One line of text.') title!: string;

  @Field.Word(
    INCIDENT_TRIGGERS,
    'The reason why it opened: a critical alert, a liquidation, or the third alert within ten minutes.',
  )
  trigger!: IncidentTrigger;

  @Field.Text('Protocol id. An incident concerns one protocol on one chain.') protocol!: string;
  @Field.Integer('Chain id.') chainId!: number;
  @Field.Integer('Its alerts, including resolved ones.', { min: 0 }) alertCount!: number;
  @Field.Timestamp('When it opened.') openedAt!: string;

  @Field.Timestamp('When its last alert resolved. Null while open.', { nullable: true })
  closedAt!: string | null;
}

/** One entry of an incident's timeline, with the position at that time. */
export class IncidentFact {
  @Field.Timestamp('Time of the block of the figures.') at!: string;
  @Field.Word(INCIDENT_FACTS, 'What happened.') type!: IncidentFactKind;
  @Field.Text('The same as text, with its figures.') message!: string;
  @Field.Id('alt', 'Alert of the fact. Null without one.', { nullable: true }) alertId!: string | null;
  @Field.Id('pos', 'Position of the fact.') positionId!: string;
  @Field.Integer('Block of the figures. Null when unknown.', { min: 0, nullable: true }) block!:
    number | null;
  @Field.Word(BANDS, 'Risk level at that block.') band!: Band;
  @Field.Number('At that block. Null without debt.', { nullable: true }) healthFactor!: number | null;
  @Field.Usd('Collateral at that block.') collateralUsd!: number;
  @Field.Usd('Debt at that block.') debtUsd!: number;
}

/** Response of GET /v1/incidents. */
@Example({ incidents: [INCIDENT], count: 1, nextCursor: null })
export class IncidentList {
  @Field.Object(() => IncidentItem, 'Newest first.', { list: true }) incidents!: IncidentItem[];
  @Field.ItemCount() count!: number;
  @Field.NextCursor() nextCursor!: string | null;
}

class IncidentIncident extends IncidentItem {
  @Field.Id('pos', 'Its positions.', { item: 'Id of a position.', list: true }) positionIds!: string[];
  @Field.Id('alt', 'Its alerts, oldest first.', { item: 'Id of an alert.', list: true }) alertIds!: string[];

  @Field.Object(() => IncidentFact, 'Oldest first; the first 1,000 facts.', { list: true })
  timeline!: IncidentFact[];
}

/** Response of GET /v1/incidents/:id. */
@Example({
  incident: {
    ...INCIDENT,
    positionIds: [POSITION_ID],
    alertIds: [ALERT_ID],
    timeline: [
      {
        at: TIMESTAMP,
        type: 'alert_opened',
        message: 'Liquidation risk: health factor 1.0312',
        alertId: ALERT_ID,
        positionId: POSITION_ID,
        block: 21_300_017,
        band: 'critical',
        healthFactor: 1.0312,
        collateralUsd: 7_500,
        debtUsd: 6_000,
      },
    ],
  },
})
export class IncidentAnswer {
  @Field.Object(() => IncidentIncident, 'The incident.') incident!: IncidentIncident;
}
