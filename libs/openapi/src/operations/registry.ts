import { ChainAnswer, ChainList, PageQuery, ProtocolAnswer, ProtocolList } from '@plimsoll/contracts';
import { Type } from '@sinclair/typebox';
import type { Operations } from '../operation';
import { TIMESTAMP } from './samples';

const PROTOCOL = {
  id: 'aave-v3',
  name: 'Aave V3',
  chains: [1, 10, 8_453],
  tvl: 19_100_000_000,
  tvlSource: 'chain',
  tvlReason: null,
  category: 'lending',
  riskTier: 'low',
  riskTierReason: 'Classified by age, audits and incidents.',
  tvlBracket: 'over_10b',
  status: 'operational',
};
const CHAIN = { id: 1, name: 'Ethereum', status: 'operational' };

export const registryOperations: Operations = {
  'GET /v1/protocols': {
    operationId: 'listProtocols',
    tag: 'Registry',
    summary: 'Covered protocols',
    description:
      'Every protocol of the registry, highest TVL first. Protocols without a configured chain have the status unconfigured, and their size and risk tier are unknown unless an external source states their value.',
    query: PageQuery,
    responses: [
      {
        status: 200,
        description: 'A page of protocols.',
        schema: ProtocolList,
        example: { protocols: [PROTOCOL], count: 1, nextCursor: null },
      },
    ],
  },
  'GET /v1/protocols/:id': {
    operationId: 'getProtocol',
    tag: 'Registry',
    summary: 'One protocol with its markets',
    description: 'The protocol and each of its markets that the platform reads, with its totals.',
    path: { id: Type.String({ description: 'Protocol id.', examples: ['aave-v3'] }) },
    responses: [
      {
        status: 200,
        description: 'The protocol.',
        schema: ProtocolAnswer,
        example: {
          protocol: {
            ...PROTOCOL,
            markets: [
              {
                chainId: 1,
                market: 'AaveV3Ethereum',
                status: 'operational',
                tvlUsd: 19_100_000_000,
                suppliedUsd: 31_200_000_000,
                borrowedUsd: 12_100_000_000,
                utilisation: 0.388,
                debtWeightedUtilisation: 0.81,
              },
            ],
          },
        },
      },
    ],
    errors: ['not_found'],
  },
  'GET /v1/chains': {
    operationId: 'listChains',
    tag: 'Registry',
    summary: 'Covered chains',
    description: 'Every chain of the registry by id, with its status and its block time.',
    query: PageQuery,
    responses: [
      {
        status: 200,
        description: 'A page of chains.',
        schema: ChainList,
        example: {
          chains: [{ ...CHAIN, blockTime: 12.04, isBlockTimeMeasured: true }],
          count: 1,
          nextCursor: null,
        },
      },
    ],
  },
  'GET /v1/chains/:id': {
    operationId: 'getChain',
    tag: 'Registry',
    summary: 'One chain',
    description: 'The chain with its newest block, the lag of the positions, and what cannot be read.',
    path: { id: Type.String({ pattern: '^[0-9]+$', description: 'Chain id (EIP-155).', examples: ['1'] }) },
    responses: [
      {
        status: 200,
        description: 'The chain.',
        schema: ChainAnswer,
        example: {
          chain: {
            ...CHAIN,
            nativeCurrency: 'ETH',
            blockExplorer: 'etherscan.io',
            avgBlockTime: 12.04,
            isBlockTimeMeasured: true,
            head: { number: 24_100_207, time: TIMESTAMP },
            lagBlocks: 0,
            failing: [],
            updatedAt: TIMESTAMP,
          },
        },
      },
    ],
    errors: ['not_found'],
  },
};
