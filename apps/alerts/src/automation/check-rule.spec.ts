import { type ConditionType, Problem, SCOPES, type Scope, type Tier } from '@plimsoll/contracts';
import { checkAction, checkCondition, checkTarget, heldAsset } from './check-rule';

function refusal(work: () => unknown): string[] {
  try {
    work();
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    const fields = error.options.errors?.map(({ field, code }) => `${field} ${code}`) ?? [];
    return [error.code, ...fields];
  }
  return [];
}
const webhookId = 'wh_01aBcDeFgHiJkLmNoPqRsT';

describe('checkCondition', () => {
  it.each([
    ['ltv_above', 80, undefined, 'conditionValue out_of_range'],
    ['health_factor_below', 0, undefined, 'conditionValue out_of_range'],
    ['liquidation_distance_below', 100, undefined, 'conditionValue out_of_range'],
    ['risk_score_above', 100, undefined, 'conditionValue out_of_range'],
    ['liquidation_probability_above', 50, undefined, 'conditionValue out_of_range'],
    ['price_below', 1_500, undefined, 'asset required'],
    ['debt_usd_above', 1_500, 'WETH', 'asset unexpected'],
  ] as const)('rejects %s %d with asset %s: %s', (conditionType, conditionValue, asset, expected) => {
    expect(refusal(() => checkCondition({ conditionType, conditionValue, asset }))).toEqual([
      'invalid_request',
      expected,
    ]);
  });

  it.each([
    ['ltv_above', 0.8, undefined],
    ['risk_score_above', 60, undefined],
    ['price_above', 4_000, 'eth'],
  ] as const)('accepts %s %d with asset %s', (conditionType, conditionValue, asset) => {
    expect(checkCondition({ conditionType, conditionValue, asset })).toBe(conditionType);
  });
});

describe('checkAction', () => {
  const of = (tier: Tier, scopes: readonly Scope[] = SCOPES) => ({ tier, scopes });
  const business = of('business');
  const enterprise = of('enterprise');
  const target = { targetHealthFactor: 2 };
  const none = { webhookId: null, deleverage: null };

  it("deleverage requires tier enterprise and a key that may move the wallet's funds", () => {
    expect(refusal(() => checkAction(business, 'deleverage', target))).toEqual(['tier_required']);
    const narrow = of('enterprise', ['alerts:write']);
    expect(refusal(() => checkAction(narrow, 'deleverage', target))).toEqual(['scope_required']);
  });

  it('deleverage requires a target above 1, and no endpoint', () => {
    const refused = (action?: object) => refusal(() => checkAction(enterprise, 'deleverage', action));
    expect(refused()).toContain('action.targetHealthFactor required');
    expect(refused({ targetHealthFactor: 1 })).toContain('action.targetHealthFactor out_of_range');
    expect(refused({ ...target, webhookId })).toContain('action.webhookId unexpected');
    expect(checkAction(enterprise, 'deleverage', target)).toEqual({
      ...none,
      actionType: 'deleverage',
      deleverage: { ...target, strategy: 'repay_debt', maxSlippageBps: 50, dryRun: false },
    });
  });

  it('webhook requires an endpoint, alert accepts none', () => {
    expect(refusal(() => checkAction(business, 'webhook', {}))).toContain('action.webhookId required');
    expect(refusal(() => checkAction(business, 'alert', { webhookId }))).toContain('action unexpected');
    expect(refusal(() => checkAction(business, 'alert', {}))).toContain('action unexpected');
    expect(refusal(() => checkAction(business, 'webhook', { webhookId, strategy: 'repay_debt' }))).toContain(
      'action.strategy unexpected',
    );
    const webhook = { ...none, actionType: 'webhook', webhookId };
    expect(checkAction(business, 'webhook', { webhookId })).toEqual(webhook);
    expect(checkAction(business, 'alert', undefined)).toEqual({ ...none, actionType: 'alert' });
  });
});

describe('checkTarget', () => {
  const check = (conditionType: ConditionType, conditionValue: number, targetHealthFactor: number) =>
    refusal(() => checkTarget({ conditionType, conditionValue }, { targetHealthFactor }, 'there'));

  it('rejects a target at which the rule would never clear', () => {
    expect(check('health_factor_below', 1.2, 1.21)).toContain('there out_of_range');
    expect(check('health_factor_below', 1.2, 1.23)).toEqual([]);
    expect(check('health_factor_above', 1.2, 2)).toContain('actionType unexpected');
    expect(check('ltv_above', 0.7, 1.1)).toEqual([]);
  });
});

describe('heldAsset', () => {
  it('finds a symbol in any case, and maps ETH to WETH', () => {
    expect(heldAsset('weth', ['USDC', 'WETH'])).toBe('WETH');
    expect(heldAsset('eth', ['WETH'])).toBe('WETH');
    expect(heldAsset('wsteth', ['wstETH', 'WETH'])).toBe('wstETH');
    expect(refusal(() => heldAsset('LINK', ['WETH']))).toEqual(['invalid_request', 'asset not_held']);
  });
});
