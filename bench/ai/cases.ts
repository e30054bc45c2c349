import type { ApiClient } from '../../test/platform/api-client';

/** An account that asks. */
export interface Asker {
  /** Ends with /v1. */
  baseUrl: string;
  key: string;
  api: ApiClient;
}

/** Requests to one path that take turns. */
export interface Case {
  path: string;
  bodies: readonly object[];
}

/** Questions about the watched wallets, which are read and simulated. */
const QUESTIONS = [
  'What is the health factor of my positions?',
  'Which of my positions has the lowest health factor?',
  'What is my total debt?',
  'How many positions do I have?',
  'What is the probability of liquidation within 7 days?',
  'What happens to my positions if ETH falls by 10%?',
];

/** The questions, by their names in the result. */
export function casesOf(incidentId: string): Readonly<Record<string, Case>> {
  return {
    riskQa: { path: '/ai/risk-qa', bodies: QUESTIONS.map((question) => ({ question })) },
    briefing: { path: '/ai/briefing', bodies: [{ timeframe: '24h' }, { timeframe: '7d' }] },
    postmortem: { path: '/ai/postmortem', bodies: [{ incidentId }] },
    suggestions: { path: '/ai/suggestions', bodies: [{ maxCount: 5 }] },
  };
}
