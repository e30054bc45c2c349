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
      'A question in English about positions, their risk, prices or the market. Positions are named by id or wallet; without a name it is about the watched wallets of the account.',
  })
  @IsString()
  @IsNotEmpty()
  @MaxLength(MAX_QUESTION_CHARS)
  question!: string;
}

/** A value or word that an answer uses. */
export const AnswerFact = Type.Object({
  id: Type.String({ description: 'Id of the fact in this answer.' }),
  label: Type.String({ description: 'What it is.' }),
  value: Type.Union([Type.Number(), Type.String(), Type.Null()], {
    description: 'As the source has it; null: known not to be there.',
  }),
  unit: Type.String({ description: 'What a number counts, or the kind of a text.' }),
  symbol: Type.Optional(Type.String({ description: 'Symbol of the token; only with unit token.' })),
  time: timestamp('When it was true.'),
  source: Type.String({ description: 'The call of this API that gives it.' }),
  isStale: Type.Optional(
    Type.Boolean({ description: 'True: the source says that it is old or could not be read.' }),
  ),
});

/** A source that was unavailable for an answer. */
export const MissingSource = Type.Object({
  source: Type.String({ description: 'The call of this API that gave nothing.' }),
  reason: Type.String({ description: 'Why, for people.' }),
});
export type MissingSource = Static<typeof MissingSource>;

/** The facts and sources behind an AI answer. */
export const AnswerBasis = Type.Object({
  answerId: recordId('ans', 'Id under which the answer is kept for audit.'),
  confidence: Type.Number({
    minimum: 0,
    maximum: 1,
    description: 'How well the facts carry the answer: coverage × freshness × verification.',
  }),
  facts: Type.Array(AnswerFact, { description: 'The facts that the figures of the answer are.' }),
  sources: Type.Array(Type.String(), { description: 'The calls whose facts the answer uses.' }),
  missing: Type.Array(MissingSource, { description: 'What could not be had; empty when all was there.' }),
});
export type AnswerBasis = Static<typeof AnswerBasis>;

/** Response of POST /v1/ai/risk-qa. */
export const RiskQaAnswer = Type.Composite([
  Type.Object({
    answer: Type.String({ description: 'Plain text, without links or markup.' }),
    answered: Type.Boolean({
      description: 'False: the facts do not answer the question; `answer` says why.',
    }),
  }),
  AnswerBasis,
]);
export type RiskQaAnswer = Static<typeof RiskQaAnswer>;

const MAX_POSITIONS = 20;

/** Body of POST /v1/ai/suggestions. */
export class SuggestionsBody {
  @JSONSchema({
    description: 'Only the positions of this wallet. Absent, without positionIds: the watched wallets.',
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
  nullable(Type.Number({ minimum: 0, maximum: 1 }), `${what}; null while the price history is not there.`);
const health = (what: string) => nullable(Type.Number({ minimum: 0 }), `${what}; null without debt.`);

/** The action that a suggestion proposes, and its effect. */
export const AiSuggestion = Type.Object({
  type: oneOf(SUGGESTION_TYPES, { description: 'What to do.' }),
  severity: oneOf(SUGGESTION_SEVERITIES, { description: 'How urgent it is, by the health factor.' }),
  title: Type.String({ description: 'One line for people.' }),
  description: Type.String({ description: 'What to do and what comes of it, with its figures.' }),
  positionId: recordId('pos', 'The position it is about.'),
  protocol: Type.String({ description: 'Protocol id.' }),
  action: Type.Object({
    usd: nullable(Type.Number({ minimum: 0 }), 'What is moved, USD; null for an alert or an e-mode.'),
    changes: Type.Array(
      Type.Object({
        asset: Type.String({ description: 'Price symbol of the asset.' }),
        side: oneOf(POSITION_SIDES, { description: 'Side of the position.' }),
        usd: usd('What is added; negative: taken away.'),
      }),
      { description: 'As POST /v1/simulate/monte-carlo takes them; empty for an alert or an e-mode.' },
    ),
    eMode: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 255,
        description:
          'Id of the e-mode to enter, as POST /v1/simulate/monte-carlo takes it; only of move_to_emode.',
      }),
    ),
  }),
  target: Type.Object({
    kind: oneOf(['health_factor', 'distance', 'debt_share', 'debt'] as const, {
      description:
        'What the action reaches: a health factor (of an alert: at which it comes), a fall of volatile collateral that is survived (percent), a share of the largest debt, or a debt (USD).',
    }),
    value: Type.Number({
      description: 'Reached within a millionth when the amounts of `changes` are moved.',
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
    positionsAnalyzed: Type.Integer({ minimum: 0, description: 'Positions with debt that were looked at.' }),
  }),
  AnswerBasis,
]);
export type AiSuggestions = Static<typeof AiSuggestions>;

/** Body of POST /v1/ai/briefing. */
export class BriefingBody {
  @JSONSchema({ description: 'How far it looks back.' })
  @IsIn(TIMEFRAMES)
  timeframe!: Timeframe;
}

/** Response of POST /v1/ai/briefing. */
export const BriefingAnswer = Type.Composite([
  Type.Object({
    briefing: Type.String({ description: 'Markdown: headings and lists, no links, no images.' }),
    alerts: Type.Integer({ minimum: 0, description: 'Alerts that opened within the timeframe.' }),
    topRisks: Type.Array(Type.String(), { description: 'The gravest risks, worst first; at most five.' }),
    timeframe: oneOf(TIMEFRAMES, { description: 'As asked for.' }),
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
    summary: Type.String({ description: 'What happened, in a few sentences.' }),
    timeline: Type.Array(
      Type.Object({
        at: timestamp('When.'),
        type: oneOf(INCIDENT_FACTS, { description: 'What happened.' }),
        positionId: recordId('pos', 'The position it is about.'),
        event: Type.String({ description: 'The same for people, with its figures.' }),
        band: oneOf(BANDS, { description: 'Risk level then.' }),
        healthFactor: health('Health factor then'),
        collateralUsd: usd('Collateral then.'),
        debtUsd: usd('Debt then.'),
      }),
      { description: 'Oldest first; the first 200 facts.' },
    ),
    cause: oneOf(ROOT_CAUSES, {
      description:
        'What moved the health factor most between the last figures before and the worst of the incident. unknown: there are none from before.',
    }),
    rootCause: Type.String({ description: 'The cause in words, with its figures.' }),
    recommendations: Type.Array(
      Type.Object({
        title: Type.String({ description: 'One line.' }),
        description: Type.String({ description: 'What to do and why.' }),
        priority: oneOf(RECOMMENDATION_PRIORITIES, { description: 'How much it matters.' }),
      }),
      { description: 'Most important first.' },
    ),
    incidentId: recordId('inc', 'The incident.'),
  }),
  AnswerBasis,
]);
export type PostmortemAnswer = Static<typeof PostmortemAnswer>;
