import { Injectable } from '@nestjs/common';
import {
  type PositionDetail,
  Problem,
  type StressTestAnswer,
  type StressTestBody,
  priceSymbol,
} from '@plimsoll/contracts';
import { riskPosition } from '@plimsoll/risk-position';
import type { Caller } from '@plimsoll/service-kit';
import { lossAssumptions, lossTerms } from '../losses/loss-terms';
import { ProtocolClasses } from '../losses/protocol-classes';
import { PositionSource } from '../position/position-source';
import { positionBasis } from '../position/position-basis';
import { shockedPosition } from '../position/shocked-position';
import { STRESSES, type Stress, type StressedAsset } from './stress';

/** The part of a stress test that does not name its position. */
export type PositionStress = Pick<StressTestAnswer, 'results' | 'assumptions'>;

@Injectable()
export class StressTestService {
  constructor(
    private readonly positions: PositionSource,
    private readonly protocols: ProtocolClasses,
  ) {}

  async test(caller: Caller, body: StressTestBody, left: AbortSignal): Promise<StressTestAnswer> {
    const stresses = stressesOf(body.scenarios);
    const detail = await this.positions.read(caller, body.positionId, left);
    return { ...positionBasis(detail), ...this.of(detail, stresses) };
  }

  /** The position under each scenario. */
  of(detail: PositionDetail, stresses: readonly Stress[]): PositionStress {
    const terms = lossTerms(riskPosition(detail), this.protocols.familyOf(detail.protocol));
    const { risk } = terms;
    const assets = assetsOf(detail);
    return {
      results: stresses.map((stress) => {
        const changes = assets.map((asset) => [asset.asset, stress.changePercent(asset)] as const);
        const factors = new Map(changes.map(([asset, change]) => [asset, 1 + change / 100]));
        const { healthFactor, ...after } = shockedPosition(detail, risk, factors);
        return {
          scenario: stress.scenario.id,
          healthFactor,
          liquidated: healthFactor !== null && healthFactor < 1,
          ...after,
          shocks: bySymbol(detail, new Map(changes)),
        };
      }),
      assumptions: lossAssumptions(terms),
    };
  }
}

/** @throws unsupported_scenario naming each one that is not known */
export function stressesOf(ids: readonly string[], parameter = 'scenarios'): Stress[] {
  const unknownScenario = 'No such scenario. GET /v1/simulate/scenarios lists them.';
  const unknown = ids.flatMap((id, i) =>
    STRESSES.has(id)
      ? []
      : [{ field: `${parameter}[${i}]`, code: 'unknown_scenario', message: unknownScenario }],
  );
  if (unknown.length > 0) {
    throw new Problem(
      'unsupported_scenario',
      'Some scenarios are unknown. GET /v1/simulate/scenarios lists the known ones.',
      { errors: unknown.slice(0, 20) },
    );
  }
  return ids.map((id) => STRESSES.get(id)!);
}

function assetsOf({ collateralAssets, debtAssets }: PositionDetail): StressedAsset[] {
  const collateral = collateralAssets.filter(({ usedAsCollateral }) => usedAsCollateral);
  const symbols = (legs: readonly { asset: string }[]) =>
    new Set(legs.map(({ asset }) => priceSymbol(asset)));
  const [all, secures, owed] = [[...collateralAssets, ...debtAssets], collateral, debtAssets].map(symbols);
  return [...all!].map((asset) => ({
    asset,
    isCollateral: secures!.has(asset),
    isDebt: owed!.has(asset),
  }));
}

/** Keyed by the position's symbols for its assets. */
function bySymbol(detail: PositionDetail, changes: ReadonlyMap<string, number>): Record<string, number> {
  return Object.fromEntries(
    [...detail.collateralAssets, ...detail.debtAssets].map(({ asset }) => [
      asset,
      changes.get(priceSymbol(asset)) ?? 0,
    ]),
  );
}
