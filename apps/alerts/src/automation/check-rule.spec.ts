import { Problem } from '@plimsoll/contracts';
import { checkAction, checkCondition, heldAsset } from './check-rule';

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
  ] as const)('%s %d with asset %s: %s', (conditionType, conditionValue, asset, expected) => {
    expect(refusal(() => checkCondition({ conditionType, conditionValue, asset }))).toEqual([
      'invalid_request',
      expected,
    ]);
  });

  it.each([
    ['ltv_above', 0.8, undefined],
    ['risk_score_above', 60, undefined],
    ['price_above', 4_000, 'eth'],
  ] as const)('%s %d with asset %s is fine', (conditionType, conditionValue, asset) => {
    expect(checkCondition({ conditionType, conditionValue, asset })).toBe(conditionType);
  });
});

describe('checkAction', () => {
  const business = { tier: 'business' as const };
  const enterprise = { tier: 'enterprise' as const };

  it('deleverage is of enterprise, and not available there yet', () => {
    expect(refusal(() => checkAction(business, 'deleverage', undefined))).toEqual(['tier_required']);
    expect(refusal(() => checkAction(enterprise, 'deleverage', { targetHealthFactor: 2 }))).toEqual([
      'invalid_request',
      'actionType not_available',
    ]);
  });

  it('webhook needs an endpoint, alert takes none', () => {
    expect(refusal(() => checkAction(business, 'webhook', {}))).toContain('action.webhookId required');
    expect(refusal(() => checkAction(business, 'alert', { webhookId }))).toContain('action unexpected');
    expect(refusal(() => checkAction(business, 'alert', {}))).toContain('action unexpected');
    expect(refusal(() => checkAction(business, 'webhook', { webhookId, strategy: 'repay_debt' }))).toContain(
      'action.strategy unexpected',
    );
    expect(checkAction(business, 'webhook', { webhookId })).toEqual({ actionType: 'webhook', webhookId });
    expect(checkAction(business, 'alert', undefined)).toEqual({ actionType: 'alert', webhookId: null });
  });
});

describe('heldAsset', () => {
  it('finds a symbol in any case, and takes ETH for WETH', () => {
    expect(heldAsset('weth', ['USDC', 'WETH'])).toBe('WETH');
    expect(heldAsset('eth', ['WETH'])).toBe('WETH');
    expect(heldAsset('wsteth', ['wstETH', 'WETH'])).toBe('wstETH');
    expect(refusal(() => heldAsset('LINK', ['WETH']))).toEqual(['invalid_request', 'asset not_held']);
  });
});
