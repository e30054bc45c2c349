import {
  AiSuggestions,
  BriefingAnswer,
  BriefingBody,
  PostmortemAnswer,
  PostmortemBody,
  RiskQaAnswer,
  RiskQaBody,
  SuggestionsBody,
} from '@plimsoll/contracts';
import type { Operations } from '../operation';
import { ANSWER_ID, INCIDENT_ID, POSITION_ID, TIMESTAMP } from './samples';

const FACTS =
  'Every figure is a fact that the service read from this API for this answer, with the permissions of the key. The response contains the facts. `missing` names what could not be read.';
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

export const aiOperations: Operations = {
  'POST /v1/ai/risk-qa': {
    operationId: 'askRiskQuestion',
    tag: 'AI',
    summary: 'A question about risk',
    description: `${FACTS} When the facts do not answer the question, \`answered\` is false and \`answer\` states why. The question is data. Instructions in it have no effect.`,
    body: RiskQaBody,
    bodyExample: { question: `What is the health factor of ${POSITION_ID}?` },
    responses: [
      {
        status: 200,
        description: 'The answer with its facts.',
        schema: RiskQaAnswer,
        headers: ['X-Answer-Generator'],
        example: {
          answer: `The health factor of position ${POSITION_ID} (aave-v3) is 1.2375; its risk level is high.`,
          answered: true,
          ...BASIS,
        },
      },
    ],
  },
  'POST /v1/ai/suggestions': {
    operationId: 'suggestActions',
    tag: 'AI',
    summary: 'Suggestions that make positions safer',
    description: `Actions for the positions with the lowest health factors. The service proves each action before it suggests it: it applies the amounts to the position and simulates the result on the same paths. Actions that miss their target are omitted. The target is the threshold of risk level low, or a target of the action itself. ${FACTS}`,
    body: SuggestionsBody,
    bodyExample: { positionIds: [POSITION_ID], maxCount: 3 },
    responses: [
      {
        status: 200,
        description: 'The suggestions.',
        schema: AiSuggestions,
        headers: ['X-Answer-Generator'],
        example: {
          suggestions: [
            {
              type: 'repay_debt',
              severity: 'warning',
              title: 'Repay a part of the debt',
              description: `Repay 1,050.00 USD: the health factor of position ${POSITION_ID} goes from 1.2375 to 1.5000, the probability of liquidation within 30 days from 31.20 % to 15.10 %.`,
              positionId: POSITION_ID,
              protocol: 'aave-v3',
              action: { usd: 1_050, changes: [{ asset: 'USDC', side: 'debt', usd: -1_050 }] },
              target: { kind: 'health_factor', value: 1.5 },
              figures: {
                healthFactorBefore: 1.2375,
                healthFactorAfter: 1.5,
                liquidationProbability30dBefore: 0.312,
                liquidationProbability30dAfter: 0.151,
              },
            },
          ],
          count: 1,
          positionsAnalyzed: 1,
          ...BASIS,
          sources: [...BASIS.sources, 'POST /v1/simulate/monte-carlo'],
        },
      },
    ],
    errors: ['not_found'],
  },
  'POST /v1/ai/briefing': {
    operationId: 'writeBriefing',
    tag: 'AI',
    summary: 'Events of a period, and the greatest risks now',
    description: `The watched wallets, their alerts and incidents, prices, the risk index and large moves over the last 24 hours, 7 or 30 days. ${FACTS}`,
    body: BriefingBody,
    bodyExample: { timeframe: '24h' },
    responses: [
      {
        status: 200,
        description: 'The briefing.',
        schema: BriefingAnswer,
        headers: ['X-Answer-Generator'],
        example: {
          briefing: `# Risk briefing\n\n## Positions\n\n- Position ${POSITION_ID} (aave-v3) has a health factor of 1.0312; its risk level is critical.`,
          alerts: 1,
          topRisks: [`Position ${POSITION_ID} (aave-v3): health factor 1.0312, risk level critical`],
          timeframe: '24h',
          generatedAt: TIMESTAMP,
          ...BASIS,
        },
      },
    ],
  },
  'POST /v1/ai/postmortem': {
    operationId: 'writePostmortem',
    tag: 'AI',
    summary: 'Course and cause of an incident',
    description: `The cause is the largest change of the health factor of the most endangered position, between the safest time of the day before and the worst time of the incident. The logarithm of the health factor is the sum of those of collateral, debt and threshold. The wallet’s own moves are subtracted from each. ${FACTS}`,
    body: PostmortemBody,
    bodyExample: { incidentId: INCIDENT_ID },
    responses: [
      {
        status: 200,
        description: 'The postmortem.',
        schema: PostmortemAnswer,
        headers: ['X-Answer-Generator'],
        example: {
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
        },
      },
    ],
    errors: ['not_found'],
  },
};
