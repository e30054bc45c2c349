import type { PositionDetail, WhatIfAnswer } from '@plimsoll/contracts';

/** The basis of every response about one position. */
export type PositionBasis = Pick<
  WhatIfAnswer,
  'positionId' | 'currentHealthFactor' | 'priceTime' | 'asOfBlock' | 'blockHash' | 'block'
>;

export function positionBasis(detail: PositionDetail): PositionBasis {
  const { id, healthFactor, updatedAt, asOfBlock, blockHash, block } = detail;
  return {
    positionId: id,
    currentHealthFactor: healthFactor,
    priceTime: updatedAt,
    asOfBlock,
    blockHash,
    ...(block !== undefined && { block }),
  };
}
