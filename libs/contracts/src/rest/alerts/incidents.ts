import { IsIn } from 'class-validator';
import { JSONSchema } from 'class-validator-jsonschema';
import { SEVERITIES, type Severity } from '../../alerts';
import { BANDS, type Band } from '../../bands';
import {
  INCIDENT_FACTS,
  INCIDENT_STATES,
  INCIDENT_TRIGGERS,
  type IncidentFactKind,
  type IncidentState,
  type IncidentTrigger,
} from '../../incidents';
import { Optional } from '../fields/field';
import {
  IdField,
  IntegerField,
  ItemCount,
  NextCursor,
  NumberField,
  ObjectField,
  TextField,
  TimestampField,
  UsdField,
  WordField,
} from '../fields/fields';
import { PageQuery } from '../fields/paging';
import { Example } from '../fields/response-schema';
import { ALERT_ID, INCIDENT_ID, POSITION_ID, TIMESTAMP } from '../fields/samples';

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
  @IdField('inc', 'Id of the incident, for POST /v1/ai/postmortem.') id!: string;

  @WordField(INCIDENT_STATES, 'closed: all its alerts have resolved.')
  status!: IncidentState;

  @WordField(SEVERITIES, 'Highest severity of its alerts.') severity!: Severity;
  @TextField('One line of text.') title!: string;

  @WordField(
    INCIDENT_TRIGGERS,
    'The reason why it opened: a critical alert, a liquidation, or the third alert within ten minutes.',
  )
  trigger!: IncidentTrigger;

  @TextField('Protocol id. An incident concerns one protocol on one chain.') protocol!: string;
  @IntegerField('Chain id.') chainId!: number;
  @IntegerField('Its alerts, including resolved ones.', { min: 0 }) alertCount!: number;
  @TimestampField('When it opened.') openedAt!: string;

  @TimestampField('When its last alert resolved. Null while open.', { nullable: true })
  closedAt!: string | null;
}

/** One entry of an incident's timeline, with the position at that time. */
export class IncidentFact {
  @TimestampField('Time of the block of the figures.') at!: string;
  @WordField(INCIDENT_FACTS, 'What happened.') type!: IncidentFactKind;
  @TextField('The same as text, with its figures.') message!: string;
  @IdField('alt', 'Alert of the fact. Null without one.', { nullable: true }) alertId!: string | null;
  @IdField('pos', 'Position of the fact.') positionId!: string;
  @IntegerField('Block of the figures. Null when unknown.', { min: 0, nullable: true }) block!: number | null;
  @WordField(BANDS, 'Risk level at that block.') band!: Band;
  @NumberField('At that block. Null without debt.', { nullable: true }) healthFactor!: number | null;
  @UsdField('Collateral at that block.') collateralUsd!: number;
  @UsdField('Debt at that block.') debtUsd!: number;
}

/** Response of GET /v1/incidents. */
@Example({ incidents: [INCIDENT], count: 1, nextCursor: null })
export class IncidentList {
  @ObjectField(() => IncidentItem, 'Newest first.', { list: true }) incidents!: IncidentItem[];
  @ItemCount() count!: number;
  @NextCursor() nextCursor!: string | null;
}

class IncidentIncident extends IncidentItem {
  @IdField('pos', 'Its positions.', { item: 'Id of a position.', list: true }) positionIds!: string[];
  @IdField('alt', 'Its alerts, oldest first.', { item: 'Id of an alert.', list: true }) alertIds!: string[];

  @ObjectField(() => IncidentFact, 'Oldest first; the first 1,000 facts.', { list: true })
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
  @ObjectField(() => IncidentIncident) incident!: IncidentIncident;
}
