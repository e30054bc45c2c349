import { type Static, Type } from '@sinclair/typebox';
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
  SUGGESTION_SEVERITIES,
  SUGGESTION_TYPES,
  TIMEFRAMES,
  type Timeframe,
} from '../ai';
import { BANDS } from '../bands';
import { INCIDENT_FACTS } from '../incidents';
import { itemCount, nullable, oneOf, recordId, timestamp, usd } from './fields';
import { Optional } from './optional';
import { POSITION_SIDES } from './simulate';

/** Longest question. */
export const MAX_QUESTION_CHARS = 2_000;

/** Body of POST /v1/ai/risk-qa. */
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
export const AnswerFact = Type.Object({
  id: Type.String({ description: 'Id of the fact in this answer.' }),
  label: Type.String({ description: 'Name of the fact.' }),
  value: Type.Union([Type.Number(), Type.String(), Type.Null()], {
    description: 'Value from the source. Null: the source states that there is none.',
  }),
  unit: Type.String({ description: 'Unit of a number, or the kind of a text.' }),
  symbol: Type.Optional(Type.String({ description: 'Symbol of the token; only with unit token.' })),
  time: timestamp('Time at which the value was valid.'),
  source: Type.String({ description: 'The request of this API that returns it.' }),
  isStale: Type.Optional(
    Type.Boolean({ description: 'True: the source reports that the value is old or could not be read.' }),
  ),
});

/** A source that was unavailable for an AI response. */
export const MissingSource = Type.Object({
  source: Type.String({ description: 'The request of this API that failed.' }),
  reason: Type.String({ description: 'The reason, as text.' }),
});
export type MissingSource = Static<typeof MissingSource>;

/** The facts and sources behind an AI response. */
export const AnswerBasis = Type.Object({
  answerId: recordId('ans', 'Id under which the answer is stored for audit.'),
  confidence: Type.Number({
    minimum: 0,
    maximum: 1,
    description: 'How well the facts support the answer: coverage × freshness × verification.',
  }),
  facts: Type.Array(AnswerFact, { description: 'The facts behind the figures of the answer.' }),
  sources: Type.Array(Type.String(), { description: 'The requests whose facts the answer uses.' }),
  missing: Type.Array(MissingSource, {
    description: 'Sources that were unavailable. Empty when all responded.',
  }),
});
export type AnswerBasis = Static<typeof AnswerBasis>;

/** Response of POST /v1/ai/risk-qa. */
export const RiskQaAnswer = Type.Composite([
  Type.Object({
    answer: Type.String({ description: 'Plain text, without links or markup.' }),
    answered: Type.Boolean({
      description: 'False: the facts do not answer the question. `answer` states why.',
    }),
  }),
  AnswerBasis,
]);
export type RiskQaAnswer = Static<typeof RiskQaAnswer>;

const MAX_POSITIONS = 20;

/** Body of POST /v1/ai/suggestions. */
export class SuggestionsBody {
  @JSONSchema({
    description: 'Only positions of this wallet. Absent, without positionIds: the watched wallets.',
    pattern: '^0x[0-9a-fA-F]{40}$',
  })
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
  nullable(Type.Number({ minimum: 0, maximum: 1 }), `${what}; null while the price history is unavailable.`);
const health = (what: string) => nullable(Type.Number({ minimum: 0 }), `${what}; null without debt.`);

/** The action that a suggestion proposes, and its effect. */
export const AiSuggestion = Type.Object({
  type: oneOf(SUGGESTION_TYPES, { description: 'What to do.' }),
  severity: oneOf(SUGGESTION_SEVERITIES, { description: 'Urgency, from the health factor.' }),
  title: Type.String({ description: 'One line of text.' }),
  description: Type.String({ description: 'The action and its effect, with figures.' }),
  positionId: recordId('pos', 'Position of the suggestion.'),
  protocol: Type.String({ description: 'Protocol id.' }),
  action: Type.Object({
    usd: nullable(Type.Number({ minimum: 0 }), 'Value that moves, USD. Null for an alert or an e-mode.'),
    changes: Type.Array(
      Type.Object({
        asset: Type.String({ description: 'Price symbol of the asset.' }),
        side: oneOf(POSITION_SIDES, { description: 'Side of the position.' }),
        usd: usd('Value added. Negative: removed.'),
      }),
      { description: 'As in POST /v1/simulate/monte-carlo. Empty for an alert or an e-mode.' },
    ),
    eMode: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 255,
        description:
          'Id of the e-mode to enter, as in POST /v1/simulate/monte-carlo. Only for move_to_emode.',
      }),
    ),
  }),
  target: Type.Object({
    kind: oneOf(['health_factor', 'distance', 'debt_share', 'debt'] as const, {
      description:
        'The target of the action: a health factor (for an alert: the threshold), a fall of volatile collateral that the position survives (percent), a share of the largest debt, or a debt (USD).',
    }),
    value: Type.Number({
      description: 'The amounts of `changes` reach it within a millionth.',
    }),
  }),
  figures: Type.Object(
    {
      healthFactorBefore: health('Health factor now'),
      healthFactorAfter: health('Health factor after the action'),
      liquidationProbability30dBefore: chance('Probability of liquidation within 30 days now'),
      liquidationProbability30dAfter: chance('The same after the action'),
    },
    { description: 'Before and after, simulated on the same paths.' },
  ),
});
export type AiSuggestion = Static<typeof AiSuggestion>;

/** Response of POST /v1/ai/suggestions. */
export const AiSuggestions = Type.Composite([
  Type.Object({
    suggestions: Type.Array(AiSuggestion, { description: 'Most urgent first.' }),
    count: itemCount,
    positionsAnalyzed: Type.Integer({ minimum: 0, description: 'Positions with debt that were checked.' }),
  }),
  AnswerBasis,
]);
export type AiSuggestions = Static<typeof AiSuggestions>;

/** Body of POST /v1/ai/briefing. */
export class BriefingBody {
  @JSONSchema({ description: 'Period that the briefing covers.' })
  @IsIn(TIMEFRAMES)
  timeframe!: Timeframe;
}

/** Response of POST /v1/ai/briefing. */
export const BriefingAnswer = Type.Composite([
  Type.Object({
    briefing: Type.String({ description: 'Markdown: headings and lists, no links, no images.' }),
    alerts: Type.Integer({ minimum: 0, description: 'Alerts that opened within the timeframe.' }),
    topRisks: Type.Array(Type.String(), { description: 'The greatest risks, worst first, at most five.' }),
    timeframe: oneOf(TIMEFRAMES, { description: 'As in the request.' }),
    generatedAt: timestamp('When it was written.'),
  }),
  AnswerBasis,
]);
export type BriefingAnswer = Static<typeof BriefingAnswer>;

/** Body of POST /v1/ai/postmortem. */
export class PostmortemBody {
  @JSONSchema({ description: 'Id of an incident of the account, as in GET /v1/incidents.' })
  @IsString()
  @IsNotEmpty()
  @MaxLength(64)
  incidentId!: string;
}

/** Response of POST /v1/ai/postmortem. */
export const PostmortemAnswer = Type.Composite([
  Type.Object({
    summary: Type.String({ description: 'The events, in a few sentences.' }),
    timeline: Type.Array(
      Type.Object({
        at: timestamp('When.'),
        type: oneOf(INCIDENT_FACTS, { description: 'What happened.' }),
        positionId: recordId('pos', 'Position of the incident.'),
        event: Type.String({ description: 'The same as text, with its figures.' }),
        band: oneOf(BANDS, { description: 'Risk level at that time' }),
        healthFactor: health('Health factor at that time'),
        collateralUsd: usd('Collateral then.'),
        debtUsd: usd('Debt then.'),
      }),
      { description: 'Oldest first; the first 200 facts.' },
    ),
    cause: oneOf(ROOT_CAUSES, {
      description:
        'The largest change of the health factor between the last figures before the incident and its worst. unknown: there are no figures from before.',
    }),
    rootCause: Type.String({ description: 'The cause in words, with its figures.' }),
    recommendations: Type.Array(
      Type.Object({
        title: Type.String({ description: 'One line.' }),
        description: Type.String({ description: 'The recommended actions, with reasons.' }),
        priority: oneOf(RECOMMENDATION_PRIORITIES, { description: 'Importance of the recommendation.' }),
      }),
      { description: 'Most important first.' },
    ),
    incidentId: recordId('inc', 'The incident.'),
  }),
  AnswerBasis,
]);
export type PostmortemAnswer = Static<typeof PostmortemAnswer>;
