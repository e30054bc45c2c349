import type { CallOptions, Plimsoll } from '@plimsoll/sdk';
import { type OperationSchemas, SCHEMAS } from '../generated/schemas';

type Values = Record<string, unknown>;

/** The block that a result states: that of its figures, or the newest one of the account's positions. */
export type BlockBasis = 'figures' | 'account' | 'none';

/** A tool for a model. None changes anything. */
export interface Tool {
  name: string;
  title: string;
  description: string;
  operation: OperationSchemas;
  basis: BlockBasis;
  call(client: Plimsoll, input: never, options: CallOptions): PromiseLike<unknown>;
}

const FIGURES = 'Figures are those of the block that the result states.';

export const TOOLS: readonly Tool[] = [
  {
    name: 'positions_list',
    title: 'Lending positions',
    description: `Lists the lending positions of wallets, or of the watched wallets of the account, the lowest health factor first. ${FIGURES}`,
    operation: SCHEMAS.listPositions,
    basis: 'figures',
    call: ({ positions }, input, options) => positions.list(input, options),
  },
  {
    name: 'position_get',
    title: 'One position',
    description: `Returns one position with its assets, oracle prices and thresholds. ${FIGURES}`,
    operation: SCHEMAS.getPosition,
    basis: 'figures',
    call: ({ positions }, input, options) => positions.get(input, options),
  },
  {
    name: 'simulate_what_if',
    title: 'What if prices change',
    description: 'Computes the health factor and the loss of a position after price changes.',
    operation: SCHEMAS.simulateWhatIf,
    basis: 'figures',
    call: ({ simulate }, input, options) => simulate.whatIf(input, options),
  },
  {
    name: 'simulate_monte_carlo',
    title: 'Distribution of the health factor',
    description: 'Estimates the probability of liquidation of a position within a horizon, with its error.',
    operation: SCHEMAS.simulateMonteCarlo,
    basis: 'figures',
    call: ({ simulate }, input, options) => simulate.monteCarlo(input, options),
  },
  {
    name: 'simulate_stress_test',
    title: 'Stress test',
    description: 'Applies past and assumed crashes to a position. scenarios_list has their ids.',
    operation: SCHEMAS.simulateStressTest,
    basis: 'figures',
    call: ({ simulate }, input, options) => simulate.stressTest(input, options),
  },
  {
    name: 'scenarios_list',
    title: 'Scenarios of stress tests',
    description: 'Lists the scenarios of simulate_stress_test with their price changes.',
    operation: SCHEMAS.listScenarios,
    basis: 'none',
    call: ({ simulate }, input, options) => simulate.scenarios(input, options),
  },
  {
    name: 'alerts_list',
    title: 'Alerts',
    description: 'Lists the alerts of the account with their causes and remedies, the newest first.',
    operation: SCHEMAS.listAlerts,
    basis: 'account',
    call: ({ alerts }, input, options) => alerts.list(input, options),
  },
  {
    name: 'wallets_list',
    title: 'Watched wallets',
    description: 'Lists the wallets that the account watches, with the names that their owner chose.',
    operation: SCHEMAS.listWallets,
    basis: 'account',
    call: ({ wallets }, input, options) => wallets.list(input, options),
  },
  {
    name: 'briefing_write',
    title: 'Briefing',
    description: 'Writes a briefing about the risks of the account. Its facts have their sources and times.',
    operation: SCHEMAS.writeBriefing,
    basis: 'account',
    call: ({ ai }, input, options) => ai.briefing(input, options),
  },
  {
    name: 'risk_question',
    title: 'Question about risk',
    description: 'Returns an explanation of a figure of the account, with its facts and sources.',
    operation: SCHEMAS.askRiskQuestion,
    basis: 'account',
    call: ({ ai }, input, options) => ai.ask(input, options),
  },
];

const SOURCE_SCHEMA = {
  type: 'object',
  properties: {
    api: { type: 'string' },
    operation: { type: 'string' },
    requestId: { type: ['string', 'null'] },
    receivedAt: { type: 'string' },
  },
  required: ['api', 'operation', 'requestId', 'receivedAt'],
};

const BLOCK_SCHEMA = {
  type: 'object',
  description:
    'Block numbers and hashes by chain id. basis figures: the figures are of these blocks. account: the newest blocks of the positions of the watched wallets. none: the result depends on no block.',
  properties: {
    basis: { enum: ['figures', 'account', 'none'] },
    numbers: { type: 'object', additionalProperties: { type: 'integer' } },
    hashes: { type: 'object', additionalProperties: { type: 'string' } },
  },
  required: ['basis', 'numbers', 'hashes'],
};

/** The schema of a result: its source, its block, and the response of the API. */
export const outputSchemaOf = ({ operation: { output, outputDefs } }: Tool) => ({
  type: 'object' as const,
  properties: { source: SOURCE_SCHEMA, block: BLOCK_SCHEMA, data: output },
  required: ['source', 'block', 'data'],
  $defs: outputDefs,
});

/** The first argument that a tool does not have, or null. */
export function unknownArgument({ operation }: Tool, given: Values): string | null {
  return Object.keys(given).find((name) => !Object.hasOwn(operation.input.properties, name)) ?? null;
}
