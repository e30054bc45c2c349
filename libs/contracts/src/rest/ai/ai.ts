import { Type } from '@sinclair/typebox';
import {
  ArrayMaxSize,
  ArrayMinSize,
  IsArray,
  IsEthereumAddress,
  IsIn,
  IsInt,
  IsNotEmpty,
  IsString,
  Max,
  MaxLength,
  Min,
} from 'class-validator';
import { JSONSchema } from 'class-validator-jsonschema';
import {
  RECOMMENDATION_PRIORITIES,
  ROOT_CAUSES,
  type RecommendationPriority,
  type RootCause,
  SUGGESTION_SEVERITIES,
  SUGGESTION_TYPES,
  type SuggestionSeverity,
  type SuggestionType,
  TIMEFRAMES,
  type Timeframe,
} from '../../ai';
import { BANDS, type Band } from '../../risk/bands';
import { INCIDENT_FACTS, type IncidentFactKind } from '../../alerts';
import {
  ANSWER_ID,
  AcceptsNames,
  Example,
  Field,
  INCIDENT_ID,
  OR_NAME,
  Optional,
  POSITION_ID,
  TIMESTAMP,
  WALLET_PATTERN,
} from '../fields';
import { POSITION_SIDES, type PositionSide } from '../../position-sides';

const FACT = {
  id: `position.${POSITION_ID}.healthFactor`,
  label: `health factor of position ${POSITION_ID}`,
  value: 1.2375,
  unit: 'ratio',
  time: TIMESTAMP,
  source: `GET /v1/positions/${POSITION_ID}`,
};
const BASIS = {
  answerId: ANSWER_ID,
  confidence: 1,
  facts: [FACT],
  sources: [`GET /v1/positions/${POSITION_ID}`],
  missing: [],
};

/** Longest question. */
export const MAX_QUESTION_CHARS = 2_000;

/** Body of POST /v1/ai/risk-qa. */
@Example({ question: `What is the health factor of ${POSITION_ID}?` })
export class RiskQaBody {
  @JSONSchema({
    description:
      'A question in English about positions, their risk, prices or the market. A question names positions by id or wallet. A question without a name concerns the watched wallets of the account.',
  })
  @IsString()
  @IsNotEmpty()
  @MaxLength(MAX_QUESTION_CHARS)
  question!: string;
}

/** A value or word in the text of the AI. */
export class AnswerFact {
  @Field.Text('Id of the fact in this answer.') id!: string;
  @Field.Text('Name of the fact.') label!: string;

  @Field.Shape(
    Type.Union([Type.Number(), Type.String(), Type.Null()]),
    'Value from the source. Null: the source states that there is none.',
  )
  value!: number | string | null;

  @Field.Text('Unit of a number, or the kind of a text.') unit!: string;
  @Optional() @Field.Text('Symbol of the token; only with unit token.') symbol?: string;

  @Optional()
  @Field.Text('The reason that the source states beside the value: riskLevelReason beside a risk level.')
  reason?: string;

  @Field.Timestamp('Time at which the value was valid.') time!: string;
  @Field.Text('The request of this API that returns it.') source!: string;

  @Optional()
  @Field.Boolean('True: the source reports that the value is old or could not be read.')
  isStale?: boolean;
}

/** A source that was unavailable for an AI response. */
export class MissingSource {
  @Field.Text('The request of this API that failed.') source!: string;
  @Field.Text('The reason, as text.') reason!: string;
}

/** The facts and sources behind an AI response. */
export class AnswerBasis {
  @Field.Id('ans', 'Id under which the answer is stored for audit.') answerId!: string;

  @Field.Number('How well the facts support the answer: coverage × freshness × verification.', {
    min: 0,
    max: 1,
  })
  confidence!: number;

  @Field.Object(() => AnswerFact, 'The facts behind the figures of the answer.', { list: true })
  facts!: AnswerFact[];

  @Field.Text('The requests whose facts the answer uses.', { list: true }) sources!: string[];

  @Field.Object(() => MissingSource, 'Sources that were unavailable. Empty when all responded.', {
    list: true,
  })
  missing!: MissingSource[];
}

/** Response of POST /v1/ai/risk-qa. */
@Example({
  answer: `The health factor of position ${POSITION_ID} (aave-v3) is 1.2375; its risk level is high.`,
  answered: true,
  ...BASIS,
})
export class RiskQaAnswer extends AnswerBasis {
  @Field.Text('Plain text, without links or markup.') answer!: string;
  @Field.Boolean('False: the facts do not answer the question. `answer` states why.') answered!: boolean;
}

const MAX_POSITIONS = 20;

/** Body of POST /v1/ai/suggestions. */
@Example({ positionIds: [POSITION_ID], maxCount: 3 })
export class SuggestionsBody {
  @JSONSchema({
    description: `Only positions of this wallet. Absent, without positionIds: the watched wallets. ${OR_NAME}`,
    pattern: WALLET_PATTERN,
  })
  @AcceptsNames()
  @Optional()
  @IsEthereumAddress()
  wallet?: string;

  @JSONSchema({ description: 'Only these positions.' })
  @Optional()
  @IsArray()
  @ArrayMinSize(1)
  @ArrayMaxSize(MAX_POSITIONS)
  @IsString({ each: true })
  @MaxLength(64, { each: true })
  positionIds?: string[];

  @JSONSchema({ description: 'Most suggestions in the answer.' })
  @IsInt()
  @Min(1)
  @Max(MAX_POSITIONS)
  maxCount: number = 5;
}

const chance = (what: string) =>
  Field.Number(`${what}; null while the price history is unavailable.`, { min: 0, max: 1, nullable: true });

const health = (what: string) =>
  Field.Number(`${what}; null without debt, and where the contract never liquidates it.`, {
    min: 0,
    nullable: true,
  });

class AiSuggestionActionChanges {
  @Field.Text('Price symbol of the asset.') asset!: string;
  @Field.Word(POSITION_SIDES, 'Side of the position.') side!: PositionSide;
  @Field.Usd('Value added. Negative: removed.') usd!: number;
}

class AiSuggestionAction {
  @Field.Number('Value that moves, USD. Null for an alert or an e-mode.', { min: 0, nullable: true })
  usd!: number | null;

  @Field.Object(
    () => AiSuggestionActionChanges,
    'As in POST /v1/simulate/monte-carlo. Empty for an alert or an e-mode.',
    { list: true },
  )
  changes!: AiSuggestionActionChanges[];

  @Optional()
  @Field.Integer('Id of the e-mode to enter, as in POST /v1/simulate/monte-carlo. Only for move_to_emode.', {
    min: 1,
    max: 255,
  })
  eMode?: number;
}

class AiSuggestionTarget {
  @Field.Word(
    ['health_factor', 'distance', 'debt_share', 'debt'],
    'The target of the action: a health factor (for an alert: the threshold), a fall of volatile collateral that the position survives (percent), a share of the largest debt, or a debt (USD).',
  )
  kind!: 'health_factor' | 'distance' | 'debt_share' | 'debt';

  @Field.Number('The amounts of `changes` reach it within a millionth.') value!: number;
}

class AiSuggestionFigures {
  @health('Health factor now') healthFactorBefore!: number | null;
  @health('Health factor after the action') healthFactorAfter!: number | null;
  @chance('Probability of liquidation within 30 days now') liquidationProbability30dBefore!: number | null;
  @chance('Standard error of liquidationProbability30dBefore') standardErrorBefore!: number | null;

  @chance(
    'Value that liquidationProbability30dBefore is below with 95 % confidence when no path was liquidated, otherwise null',
  )
  upperBound95Before!: number | null;

  @chance('The same after the action') liquidationProbability30dAfter!: number | null;
  @chance('Standard error of liquidationProbability30dAfter') standardErrorAfter!: number | null;

  @chance(
    'Value that liquidationProbability30dAfter is below with 95 % confidence when no path was liquidated, otherwise null',
  )
  upperBound95After!: number | null;
}

/** The action that a suggestion proposes, and its effect. */
export class AiSuggestion {
  @Field.Word(SUGGESTION_TYPES, 'What to do.') type!: SuggestionType;

  @Field.Word(SUGGESTION_SEVERITIES, 'Urgency, from the health factor.')
  severity!: SuggestionSeverity;

  @Field.Text('One line of text.') title!: string;
  @Field.Text('The action and its effect, with figures.') description!: string;
  @Field.Id('pos', 'Position of the suggestion.') positionId!: string;
  @Field.Text('Protocol id.') protocol!: string;
  @Field.Object(() => AiSuggestionAction, 'The proposed action.') action!: AiSuggestionAction;
  @Field.Object(() => AiSuggestionTarget, 'What the action reaches.') target!: AiSuggestionTarget;

  @Field.Object(() => AiSuggestionFigures, 'Before and after, simulated on the same paths.')
  figures!: AiSuggestionFigures;
}

/** Response of POST /v1/ai/suggestions. */
@Example({
  suggestions: [
    {
      type: 'repay_debt',
      severity: 'warning',
      title: 'Repay a part of the debt',
      description: `Repay 1,050.00 USD: the health factor of position ${POSITION_ID} goes from 1.2375 to 1.5000, the probability of liquidation within 30 days from 31.20 % to 15.10 % (standard errors 1.47 % and 1.13 %).`,
      positionId: POSITION_ID,
      protocol: 'aave-v3',
      action: { usd: 1_050, changes: [{ asset: 'USDC', side: 'debt', usd: -1_050 }] },
      target: { kind: 'health_factor', value: 1.5 },
      figures: {
        healthFactorBefore: 1.2375,
        healthFactorAfter: 1.5,
        liquidationProbability30dBefore: 0.312,
        standardErrorBefore: 0.0147,
        upperBound95Before: null,
        liquidationProbability30dAfter: 0.151,
        standardErrorAfter: 0.0113,
        upperBound95After: null,
      },
    },
  ],
  count: 1,
  positionsAnalyzed: 1,
  ...BASIS,
  sources: [...BASIS.sources, 'POST /v1/simulate/monte-carlo'],
})
export class AiSuggestions extends AnswerBasis {
  @Field.Object(() => AiSuggestion, 'Most urgent first.', { list: true }) suggestions!: AiSuggestion[];
  @Field.ItemCount() count!: number;
  @Field.Integer('Positions with debt that were checked.', { min: 0 }) positionsAnalyzed!: number;
}

/** Body of POST /v1/ai/briefing. */
@Example({ timeframe: '24h' })
export class BriefingBody {
  @JSONSchema({ description: 'Period that the briefing covers.' })
  @IsIn(TIMEFRAMES)
  timeframe!: Timeframe;
}

/** Response of POST /v1/ai/briefing. */
@Example({
  briefing: `# Risk briefing\n\n## Positions\n\n- Position ${POSITION_ID} (aave-v3) has a health factor of 1.0312; its risk level is critical.`,
  alerts: 1,
  topRisks: [`Position ${POSITION_ID} (aave-v3): health factor 1.0312, risk level critical`],
  timeframe: '24h',
  generatedAt: TIMESTAMP,
  ...BASIS,
})
export class BriefingAnswer extends AnswerBasis {
  @Field.Text('Markdown: headings and lists, no links, no images.') briefing!: string;
  @Field.Integer('Alerts that opened within the timeframe.', { min: 0 }) alerts!: number;
  @Field.Text('The greatest risks, worst first, at most five.', { list: true }) topRisks!: string[];
  @Field.Word(TIMEFRAMES, 'As in the request.') timeframe!: Timeframe;
  @Field.Timestamp('When it was written.') generatedAt!: string;
}

/** Body of POST /v1/ai/postmortem. */
@Example({ incidentId: INCIDENT_ID })
export class PostmortemBody {
  @JSONSchema({ description: 'Id of an incident of the account, as in GET /v1/incidents.' })
  @IsString()
  @IsNotEmpty()
  @MaxLength(64)
  incidentId!: string;
}

class PostmortemTimeline {
  @Field.Timestamp('When.') at!: string;
  @Field.Word(INCIDENT_FACTS, 'What happened.') type!: IncidentFactKind;
  @Field.Id('pos', 'Position of the incident.') positionId!: string;
  @Field.Text('The same as text, with its figures.') event!: string;
  @Field.Word(BANDS, 'Risk level at that time') band!: Band;
  @health('Health factor at that time') healthFactor!: number | null;
  @Field.Usd('Collateral then.') collateralUsd!: number;
  @Field.Usd('Debt then.') debtUsd!: number;
}

class PostmortemRecommendations {
  @Field.Text('One line.') title!: string;
  @Field.Text('The recommended actions, with reasons.') description!: string;

  @Field.Word(RECOMMENDATION_PRIORITIES, 'Importance of the recommendation.')
  priority!: RecommendationPriority;
}

/** Response of POST /v1/ai/postmortem. */
@Example({
  incidentId: INCIDENT_ID,
  summary: `Incident ${INCIDENT_ID} in aave-v3 on chain 1 was opened at ${TIMESTAMP}; its trigger was critical_alert, its severity is critical and its status open.`,
  timeline: [
    {
      at: TIMESTAMP,
      type: 'alert_opened',
      positionId: POSITION_ID,
      event: 'An alert opened.',
      band: 'critical',
      healthFactor: 1.0312,
      collateralUsd: 7_500,
      debtUsd: 6_000,
    },
  ],
  cause: 'price',
  rootCause: 'Prices: what the position held lost value against what it owed.',
  recommendations: [
    {
      title: 'Keep more distance to liquidation',
      description: 'Hold more collateral or less debt than before.',
      priority: 'medium',
    },
  ],
  ...BASIS,
  sources: [`GET /v1/incidents/${INCIDENT_ID}`, 'GET /v1/analytics/historical'],
})
export class PostmortemAnswer extends AnswerBasis {
  @Field.Text('The events, in a few sentences.') summary!: string;

  @Field.Object(() => PostmortemTimeline, 'Oldest first; the first 200 facts.', { list: true })
  timeline!: PostmortemTimeline[];

  @Field.Word(
    ROOT_CAUSES,
    'The largest change of the health factor between the last figures before the incident and its worst. unknown: there are no figures from before.',
  )
  cause!: RootCause;

  @Field.Text('The cause in words, with its figures.') rootCause!: string;

  @Field.Object(() => PostmortemRecommendations, 'Most important first.', { list: true })
  recommendations!: PostmortemRecommendations[];

  @Field.Id('inc', 'The incident.') incidentId!: string;
}
