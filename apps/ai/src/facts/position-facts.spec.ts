import type { PositionList } from '@plimsoll/contracts';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Fact } from './fact';
import { FactSheet } from './fact-sheet';
import { type HeldPosition, PositionFacts } from './position-facts';

const RECORDED = join(__dirname, '../../test/replay/recorded.json');
const { calls } = JSON.parse(readFileSync(RECORDED, 'utf8')) as { calls: { key: string; body: unknown }[] };
const recorded = calls.find(({ key }) => key.startsWith('positions GET /v1/positions?include=assets'));
const { positions } = recorded!.body as PositionList;
const origin = { time: '2026-11-21T12:00:00.000Z', source: 'GET /v1/positions' };
const netWorthOf = (raw: HeldPosition): unknown =>
  new PositionFacts(new FactSheet(), raw, origin).netWorthUsd.value;

describe('the risk level of a position', () => {
  const levelOf = (raw: HeldPosition): Fact => new PositionFacts(new FactSheet(), raw, origin).riskLevel;
  const [position] = positions as [HeldPosition];

  it('has the reason that the positions service states', () => {
    const riskLevelReason = 'Health factor 1.18 is between 1.10 and 1.25.';
    const fact = levelOf({ ...position, riskLevel: 'high', riskLevelReason });
    expect(fact).toMatchObject({ value: 'high', reason: riskLevelReason });
  });

  it('has none from an earlier release', () => {
    const { riskLevelReason: _, ...earlier } = position;
    expect(levelOf(earlier)).not.toHaveProperty('reason');
  });
});

describe('the net worth of a position', () => {
  const beside = positions.find(({ collateralAssets = [], totalDebtUsd }) => {
    return totalDebtUsd > 0 && collateralAssets.some(({ usedAsCollateral }) => usedAsCollateral === false);
  })!;

  it('counts supplies that are not collateral if a position of an earlier release does not state its net worth', () => {
    const supplied = (beside.collateralAssets ?? []).reduce((sum, { usdValue }) => sum + usdValue, 0);
    expect(supplied).toBeGreaterThan(beside.totalCollateralUsd + 1_000);
    expect(netWorthOf(beside)).toBeCloseTo(supplied - beside.totalDebtUsd, 6);
  });

  it('is the value that the positions service states', () => {
    expect(netWorthOf({ ...beside, netWorthUsd: 33_924.75 })).toBe(33_924.75);
  });
});
