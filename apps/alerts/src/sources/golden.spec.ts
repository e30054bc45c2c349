import type { ParameterChange, ParameterValue } from '@plimsoll/contracts';
import { sampleExecution, sampleMove } from '@plimsoll/testing';
import { type Holdings, stateOf, textOf } from '../../test/golden-scenes';
import { confidenceBasis } from '../content/confidence-score';
import { message } from '../content/sentences';
import type { AlertText } from '../lifecycle/alert';
import { affectedPositions, affectedSentence, moveContent } from './asset-price/affected-positions';
import { depegTexts, moveTexts, notHeldText, staleTexts } from './asset-price/asset-text';
import { deletedText, endpointChange } from './endpoint/endpoint-alert';
import { endedText, failedText } from './execution/execution-alert';
import { deviationTexts, effectSentence, notAffectedText } from './oracle-price/oracle-text';
import { announcedText, overText } from './parameter-change/parameter-text';
import type { AlertTextVariant } from './position/alert-text';
import type { Rule } from './rule/rule';
import { clearedText, firedText } from './rule/rule-text';
import { whaleText } from './whale/whale-alert';

const eth = (amount: number, priceUsd: number): Holdings => ({ WETH: { amount, priceUsd } });
const BASE = { chainId: 8453, wallet: '0x3c44cdddb6a900fa2b585dd299e03d12fa4293bc' };
const MORPHO = { protocol: 'morpho-blue', wallet: '0x90f79bf6eb2c4f870365e785982e1f101e93b906' };
const VENUS = { protocol: 'venus', chainId: 56, wallet: '0x15d34aaf54267db7d7c367839aaf71a00a2c6a65' };
const HYPER = { protocol: 'hyperlend', chainId: 999, wallet: '0x9965507d1a55bcc2695c58ba16fb37d819b0a4dc' };
const ARBITRUM = { chainId: 42161, wallet: '0x976ea74026e726554db657fa54763abd0c3a0aa9' };
const SPARK = { protocol: 'spark', wallet: '0x14dc79964da2c08b23698b3d3cc7ca32193d9955' };
const LOCAL = { chainId: 31337, protocol: 'aave-v3' };
const pairOf = (usdc: number) =>
  stateOf({ USDC: { amount: usdc, bps: 9_300 } }, { DAI: 9_200 }, 'low', SPARK);
const staked = (priceUsd: number) =>
  stateOf(
    { WSTETH: { amount: 100, priceUsd, bps: 9_500 } },
    { WETH: { amount: 105, priceUsd: 3_000 } },
    'high',
    SPARK,
  );
const stakedLoop = stateOf(
  { WSTETH: { amount: 100, bps: 9_500 } },
  { WETH: { amount: 107, priceUsd: 3_000 } },
  'low',
  SPARK,
);
const depegText = (
  variant: AlertTextVariant,
  depegOf: string,
  market: Readonly<Record<string, number>>,
): AlertText => textOf(variant, { after: pairOf(10_000), depegOf, market });
const rule = (over: Partial<Rule>): Rule =>
  ({
    id: 'rule_01aBcDeFgHiJkLmNoPqRsT',
    name: 'Guard',
    conditionType: 'health_factor_below',
    conditionValue: 1.5,
    asset: null,
    ...over,
  }) as Rule;
const fired = (over: Partial<Rule>, value: number): AlertText => firedText(rule(over), value, high);
const deviating = (oracleUsd: number, marketUsd: number): AlertText => {
  const { met } = deviationTexts({ ...high, asset: 'ETH', priceUsd: oracleUsd }, marketUsd);
  const move = { fromUsd: oracleUsd, toUsd: marketUsd };
  const [affected] = affectedPositions('ETH', move, { positions: [high], labels: new Map() });
  return { ...met, message: message(met.message, effectSentence(affected)) };
};
const announced = (
  values: readonly ParameterValue[],
  after: number | null,
  over: Partial<ParameterChange> = {},
): AlertText =>
  announcedText({
    asset: 'ETH',
    change: {
      proposalId: 'payload 411',
      source: high.wallet,
      values: [...values],
      earliestAt: '2026-11-28T12:00:00.000Z',
      expiresAt: '2026-12-05T12:00:00.000Z',
      isGradual: false,
      ...over,
    },
    position: high,
    label: null,
    healthFactor: 1.24,
    healthFactorAfter: after,
  });
const lowered: ParameterValue = { parameter: 'liquidation_threshold', from: '0.825', to: '0.8' };
const basis = confidenceBasis(0, { sources: 3, spreadPercent: 0.2 });
const priceOf = (asset: string, priceUsd: number) => ({
  asset,
  priceUsd,
  sources: 3,
  spreadPercent: 0.2,
  isStale: false,
  observedAtMs: 0,
  publishedAtMs: 0,
  silentAtMs: 0,
});
const moved = (
  asset: string,
  fromUsd: number,
  toUsd: number,
  ...held: ReturnType<typeof stateOf>[]
): AlertText => {
  const { met } = moveTexts(priceOf(asset, toUsd), toUsd / fromUsd - 1, 60);
  const holding = { positions: held, total: held.length, labels: new Map() };
  const content = moveContent('price', asset, { fromUsd, toUsd }, holding, basis);
  return { title: met.title, message: `${met.message} ${affectedSentence(content)}` };
};
const depegged = (asset: string, priceUsd: number, ...held: ReturnType<typeof stateOf>[]): AlertText => {
  const { met } = depegTexts(priceOf(asset, priceUsd), 1);
  const holding = { positions: held, total: held.length, labels: new Map() };
  const content = moveContent('depeg', asset, { fromUsd: 1, toUsd: priceUsd }, holding, basis);
  return { title: met.title, message: `${met.message} ${affectedSentence(content)}` };
};
const stale = staleTexts({
  asset: 'LINK',
  priceUsd: 17.35,
  sources: 1,
  spreadPercent: null,
  isStale: true,
  observedAtMs: Date.parse('2026-11-23T11:41:00.000Z'),
  publishedAtMs: 0,
  silentAtMs: 0,
});
const steady = moveTexts(
  {
    asset: 'ETH',
    priceUsd: 2_790,
    sources: 2,
    spreadPercent: 0.1,
    isStale: false,
    observedAtMs: 0,
    publishedAtMs: 0,
    silentAtMs: 0,
  },
  -0.03,
  60,
).over;
const delivery = (over: object): AlertText => {
  const value = {
    webhookId: 'wh_01aBcDeFgHiJkLmNoPqRsT',
    state: 'failed',
    attempt: 5,
    statusCode: 503,
    ...over,
  };
  return endpointChange(value as Parameters<typeof endpointChange>[0], 'state' in over ? 'medium' : null)!
    .text;
};

const healthy = stateOf(eth(2.5, 3_243.24), { USDC: 5_000 }, 'moderate');
const high = stateOf(eth(2.5, 3_000), { USDC: 5_000 }, 'high');
const critical = stateOf(eth(2.5, 2_600), { USDC: 5_000 }, 'critical');
const below = stateOf(eth(2.5, 2_337.5), { USDC: 5_000 }, 'liquidatable');

const TEXTS: Readonly<Record<string, AlertText>> = {
  'opened.high: price fell': textOf('opened.high', { before: healthy, after: high }),
  'opened.high: first sight': textOf('opened.high', { after: high }),
  'opened.high: interest': textOf('opened.high', {
    before: stateOf(eth(2.5, 3_000), { USDC: { amount: 4_949, principal: 4_900 } }, 'moderate', BASE),
    after: stateOf(eth(2.5, 3_000), { USDC: { amount: 4_951, principal: 4_900 } }, 'high', BASE),
  }),
  'opened.high: borrowed more': textOf('opened.high', {
    before: stateOf({ WBTC: 0.8 }, { USDC: 40_000 }, 'moderate', BASE),
    after: stateOf({ WBTC: 0.8 }, { USDC: 47_500 }, 'high', BASE),
  }),
  'opened.high: first debt': textOf('opened.high', {
    before: stateOf({ WBTC: 0.8 }, {}, 'none', BASE),
    after: stateOf({ WBTC: 0.8 }, { USDC: 47_500 }, 'high', BASE),
  }),
  'opened.high: collateral withdrawn': textOf('opened.high', {
    before: stateOf({ WETH: 5, LINK: 400 }, { DAI: 11_000 }, 'moderate', ARBITRUM),
    after: stateOf({ WETH: 5 }, { DAI: 11_000 }, 'high', ARBITRUM),
  }),
  'opened.high: threshold cut': textOf('opened.high', {
    before: stateOf({ LINK: 4_000 }, { USDC: 38_000 }, 'moderate', ARBITRUM),
    after: stateOf({ LINK: { amount: 4_000, bps: 6_800 } }, { USDC: 38_000 }, 'high', ARBITRUM),
  }),
  'opened.high: several legs': textOf('opened.high', {
    before: stateOf({ WETH: 60, WBTC: 1.2, LINK: 900 }, { USDC: 110_000, DAI: 74_000 }, 'moderate'),
    after: stateOf(
      { WETH: { amount: 60, priceUsd: 2_720 }, WBTC: 1.2, LINK: 900 },
      { USDC: 110_000, DAI: 74_000 },
      'high',
    ),
  }),
  'opened.high: target 2': textOf('opened.high', { before: healthy, after: high, targetHealthFactor: 2 }),
  'opened.high: debt asset rose': textOf('opened.high', {
    before: stateOf({ USDC: 20_000 }, { WETH: { amount: 4, priceUsd: 2_900 } }, 'moderate', MORPHO),
    after: stateOf({ USDC: 20_000 }, { WETH: { amount: 4, priceUsd: 3_300 } }, 'high', MORPHO),
  }),
  'opened.critical: an asset without a price': textOf('opened.critical', {
    after: stateOf(
      { WETH: { amount: 2.5, priceUsd: 2_600 }, LINK: { amount: 10, priceUsd: 0 } },
      { USDC: 5_000 },
      'critical',
    ),
  }),
  'opened.liquidatable: collateral no longer counts': textOf('opened.liquidatable', {
    before: stateOf({ LINK: 900 }, { USDC: 5_000, DAI: 4_000 }, 'high', ARBITRUM),
    after: stateOf({ LINK: { amount: 900, bps: 0 } }, { USDC: 5_000, DAI: 4_000 }, 'liquidatable', ARBITRUM),
  }),
  'opened.high: named wallet': textOf('opened.high', {
    before: healthy,
    after: high,
    walletLabel: 'Treasury',
  }),
  'resolved.unwatched: named wallet': textOf('resolved.unwatched', { after: high, walletLabel: 'Treasury' }),
  'opened.liquidatable: debt asset rose': textOf('opened.liquidatable', {
    before: stateOf({ USDC: 20_000 }, { WETH: { amount: 4, priceUsd: 3_300 } }, 'high', MORPHO),
    after: stateOf({ USDC: 20_000 }, { WETH: { amount: 4, priceUsd: 4_100 } }, 'liquidatable', MORPHO),
  }),
  'opened.high: staked pair': textOf('opened.high', { before: staked(3_540), after: staked(3_505) }),
  'opened.depeg: half of the distance': depegText('opened.depeg', 'USDC', { USDC: 0.9938, DAI: 1 }),
  'opened.depeg: at once all of it': depegText('opened.depeg', 'USDC', { USDC: 0.962, DAI: 0.9998 }),
  'opened.depeg: staked pair': textOf('opened.depeg', {
    after: stakedLoop,
    depegOf: 'WSTETH',
    market: { WSTETH: 3_447.5, ETH: 3_000 },
  }),
  'opened.high: whole position small': textOf('opened.high', {
    after: stateOf({ ARB: 60 }, { USDC: 10 }, 'high', ARBITRUM),
  }),
  'opened.high: without dollars': textOf('opened.high', {
    after: stateOf(eth(2.5, 3_000), { USDC: 5_000 }, 'high', LOCAL, { usdPerBaseRaw: '0' }),
  }),
  'opened.high: state of an earlier release': textOf('opened.high', {
    after: { ...high, holdings: { prices: {}, collateral: {}, debt: {} } },
  }),
  'opened.high: bought more of the collateral': textOf('opened.high', {
    before: stateOf({ HYPE: 900 }, { USDT: 17_300 }, 'high', HYPER),
    after: stateOf({ HYPE: 930 }, { USDT: 17_300 }, 'high', HYPER),
  }),
  'opened.critical: price fell': textOf('opened.critical', { before: healthy, after: critical }),
  'opened.critical: Morpho': textOf('opened.critical', {
    before: stateOf({ WSTETH: { amount: 12, bps: 8_600 } }, { USDC: 31_000 }, 'high', MORPHO),
    after: stateOf(
      { WSTETH: { amount: 12, bps: 8_600, priceUsd: 3_150 } },
      { USDC: 31_000 },
      'critical',
      MORPHO,
    ),
  }),
  'opened.critical: Venus': textOf('opened.critical', {
    before: stateOf({ BNB: 40 }, { USDT: 24_500 }, 'high', VENUS),
    after: stateOf({ BNB: { amount: 40, priceUsd: 811.25 } }, { USDT: 24_500 }, 'critical', VENUS),
  }),
  'opened.critical: HyperLend': textOf('opened.critical', {
    before: stateOf({ HYPE: 900 }, { USDT: 17_300 }, 'high', HYPER),
    after: stateOf({ HYPE: { amount: 900, priceUsd: 27.9 } }, { USDT: 17_300 }, 'critical', HYPER),
  }),
  'opened.critical: cheap token': textOf('opened.critical', {
    before: stateOf({ ARB: { amount: 250_000, priceUsd: 0.3421 } }, { USDC: 46_000 }, 'high', ARBITRUM),
    after: stateOf({ ARB: 250_000 }, { USDC: 46_000 }, 'critical', ARBITRUM),
  }),
  'opened.critical: large': textOf('opened.critical', {
    before: stateOf({ WBTC: 410 }, { USDC: 25_100_000, DAI: 2_000_000 }, 'high'),
    after: stateOf(
      { WBTC: { amount: 410, priceUsd: 89_120 } },
      { USDC: 25_100_000, DAI: 2_000_000 },
      'critical',
    ),
  }),
  'opened.critical: local chain': textOf('opened.critical', {
    before: stateOf(eth(10, 3_150), { USDC: 22_000 }, 'high', LOCAL),
    after: stateOf(eth(10, 2_900), { USDC: 22_000 }, 'critical', LOCAL),
  }),
  'opened.critical: stable pair by probability': textOf('opened.critical', { after: pairOf(9_960) }),
  'escalated.critical: from high': textOf('escalated.critical', { before: high, after: critical }),
  'escalated.critical: interest': textOf('escalated.critical', {
    before: stateOf({ WSTETH: 30 }, { DAI: { amount: 78_190, principal: 75_000 } }, 'high', SPARK),
    after: stateOf({ WSTETH: 30 }, { DAI: { amount: 78_210, principal: 75_000 } }, 'critical', SPARK),
  }),
  'escalated.depeg: collateral falls': depegText('escalated.depeg', 'USDC', { USDC: 0.986, DAI: 1 }),
  'escalated.depeg: debt rises': depegText('escalated.depeg', 'DAI', { USDC: 1, DAI: 1.013 }),
  'updated.depeg: further': depegText('updated.depeg', 'USDC', { USDC: 0.9925, DAI: 1 }),
  'resolved.depeg: back': depegText('resolved.depeg', 'USDC', { USDC: 0.9996, DAI: 1.0001 }),
  'resolved.depeg: exactly back': depegText('resolved.depeg', 'USDC', { USDC: 1, DAI: 1 }),
  'resolved.depeg: the owner added collateral': textOf('resolved.depeg', {
    after: pairOf(12_400),
    depegOf: 'USDC',
    market: { USDC: 0.9938, DAI: 1 },
  }),
  'resolved.depeg_unknown: one price': textOf('resolved.depeg_unknown', {
    after: pairOf(10_000),
    market: { DAI: 1 },
  }),
  'resolved.depeg_unknown: both prices': textOf('resolved.depeg_unknown', { after: pairOf(10_000) }),
  'opened.liquidatable: price fell': textOf('opened.liquidatable', { before: critical, after: below }),
  'opened.liquidatable: first sight': textOf('opened.liquidatable', { after: below }),
  'opened.liquidatable: at the edge': textOf('opened.liquidatable', {
    before: stateOf(eth(10, 2_668), { USDC: 22_000 }, 'critical'),
    after: stateOf(eth(10, 2_666.66), { USDC: 22_000 }, 'liquidatable'),
  }),
  'opened.liquidatable: under water': textOf('opened.liquidatable', {
    before: stateOf({ LINK: 4_000 }, { USDC: 45_000 }, 'critical', ARBITRUM),
    after: stateOf({ LINK: { amount: 4_000, priceUsd: 10.9 } }, { USDC: 45_000 }, 'liquidatable', ARBITRUM),
  }),
  'opened.liquidatable: own withdrawal': textOf('opened.liquidatable', {
    before: stateOf(eth(3, 2_700), { USDC: 6_000 }, 'critical', BASE),
    after: stateOf(eth(2.6, 2_700), { USDC: 6_000 }, 'liquidatable', BASE),
  }),
  'updated.high': textOf('updated.high', {
    before: high,
    after: stateOf(eth(2.5, 2_930), { USDC: 5_000 }, 'high'),
  }),
  'updated.critical': textOf('updated.critical', {
    before: critical,
    after: stateOf(eth(2.5, 2_540), { USDC: 5_000 }, 'critical'),
  }),
  'updated.critical: repaid some': textOf('updated.critical', {
    before: critical,
    after: stateOf(eth(2.5, 2_600), { USDC: 4_950 }, 'critical'),
  }),
  'updated.liquidatable': textOf('updated.liquidatable', {
    before: below,
    after: stateOf(eth(2.5, 2_290), { USDC: 5_000 }, 'liquidatable'),
  }),
  'updated.milder': textOf('updated.milder', {
    before: critical,
    after: stateOf(eth(2.5, 2_800), { USDC: 5_000 }, 'high'),
  }),
  'updated.retracted': textOf('updated.retracted', { before: critical, after: high }),
  'resolved.recovered: price rose': textOf('resolved.recovered', {
    before: high,
    after: stateOf(eth(2.5, 3_350), { USDC: 5_000 }, 'moderate'),
  }),
  'resolved.recovered: repaid': textOf('resolved.recovered', {
    before: critical,
    after: stateOf(eth(2.5, 2_600), { USDC: 3_500 }, 'low'),
  }),
  'resolved.recovered: all debt repaid': textOf('resolved.recovered', {
    before: critical,
    after: stateOf(eth(2.5, 2_600), {}, 'none'),
  }),
  'resolved.closed': textOf('resolved.closed', {
    before: below,
    after: { ...stateOf({}, {}, 'none'), closed: true },
  }),
  'resolved.unwatched': textOf('resolved.unwatched', { after: high }),
  'resolved.dust': textOf('resolved.dust', {
    after: stateOf({ ARB: 0.06 }, { USDC: 0.01 }, 'high', ARBITRUM),
  }),
  'resolved.dust: own limit': textOf('resolved.dust', { after: high, minUsd: 25_000 }),
  'resolved.escalated': textOf('resolved.escalated', { before: critical, after: below }),
  'resolved.retracted': textOf('resolved.retracted', {
    before: high,
    after: stateOf(eth(2.5, 3_240), { USDC: 5_000 }, 'moderate'),
  }),
  'opened.collateral_drop': textOf('opened.collateral_drop', { after: high, drop: 0.213 }),
  'opened.high: several falls within the hour': textOf('opened.high', {
    before: healthy,
    after: high,
    drop: 0.213,
  }),
  'opened.liquidatable: several falls within the hour': textOf('opened.liquidatable', {
    before: critical,
    after: below,
    drop: 0.2741,
  }),
  'opened.liquidatable: one fall says it': textOf('opened.liquidatable', {
    before: stateOf(eth(2.5, 3_100), { USDC: 5_000 }, 'moderate'),
    after: below,
    drop: 0.2459,
  }),
  'resolved.collateral_in_danger': textOf('resolved.collateral_in_danger', { after: below }),
  'resolved.collateral_steady': textOf('resolved.collateral_steady', { after: high, drop: 0.08 }),
  'price_move: one position': moved('ETH', 3_000, 2_694, high),
  'price_move: several positions': moved(
    'ETH',
    3_000,
    2_394,
    high,
    healthy,
    stateOf(eth(50, 3_000), { DAI: 80_000 }, 'moderate', BASE),
  ),
  'price_move: a rise that hurts': moved(
    'ETH',
    2_900,
    3_248,
    stateOf({ USDC: 20_000 }, { WETH: { amount: 4, priceUsd: 2_900 } }, 'high', MORPHO),
  ),
  'price_move: over': steady,
  oracle_stale: stale.met,
  'oracle_stale: over': stale.over,
  'depeg: below as collateral': depegged(
    'USDC',
    0.9412,
    stateOf({ USDC: 20_000 }, { WETH: { amount: 4, priceUsd: 2_900 } }, 'high', MORPHO),
  ),
  'depeg: above as debt': depegged('USDC', 1.0235, high, healthy),
  'depeg: over': depegTexts(priceOf('USDC', 0.9953), 1).over,
  'oracle: above the market': deviating(3_000, 2_850),
  'oracle: below the market': deviating(3_000, 3_090),
  'oracle: over': deviationTexts({ ...high, asset: 'ETH', priceUsd: 3_000 }, 2_985).over,
  'oracle: no longer affected': notAffectedText('ETH'),
  'parameter: lower threshold and LTV': announced(
    [{ parameter: 'max_ltv', from: '0.8', to: '0.78' }, lowered],
    1.2024,
  ),
  'parameter: liquidatable': announced([lowered], 0.98),
  'parameter: gradual': announced([lowered], 1.2024, { expiresAt: null, isGradual: true }),
  'parameter: oracle without a price': announced(
    [{ parameter: 'oracle', from: `0x${'1'.repeat(40)}`, to: `0x${'2'.repeat(40)}` }],
    null,
  ),
  'parameter: cap': announced([{ parameter: 'supply_cap', from: '100', to: '0' }], 1.24),
  'parameter: executed': overText('executed', { ...high, asset: 'ETH' }),
  'parameter: cancelled': overText('cancelled', { ...high, asset: 'ETH' }),
  'parameter: expired': overText('expired', { ...high, asset: 'ETH' }),
  'parameter: no longer affected': overText(null, { ...high, asset: 'ETH' }),
  'price_move: no longer held': notHeldText('LINK'),
  'rule: health factor': firedText(rule({}), 1.4433, high),
  'rule: price': firedText(
    rule({ name: 'Buy the dip', conditionType: 'price_below', conditionValue: 2_500, asset: 'ETH' }),
    2_487.5,
    high,
  ),
  'rule: cleared': clearedText(
    rule({}),
    { kind: 'clear', reason: 'recovered', value: 1.62 } as Parameters<typeof clearedText>[1],
    high,
  ),
  'rule: position closed': clearedText(rule({}), { kind: 'clear', reason: 'closed', value: null }, high),
  'rule: switched off': clearedText(rule({}), { kind: 'clear', reason: 'rule_off', value: null }, high),
  'rule: loan to value': fired({ conditionType: 'ltv_above', conditionValue: 0.7 }, 0.71428),
  'rule: collateral': fired({ conditionType: 'collateral_usd_below', conditionValue: 8_000 }, 7_499.5),
  'rule: debt': fired({ conditionType: 'debt_usd_above', conditionValue: 4_500 }, 5_000),
  'rule: risk score': fired({ conditionType: 'risk_score_above', conditionValue: 60 }, 71.25),
  'rule: probability': firedText(
    rule({ conditionType: 'liquidation_probability_above', conditionValue: 0.1 }),
    0.2431,
    { ...high, liquidationProbabilityError: 0.0061 },
  ),
  'rule: probability cleared': clearedText(
    rule({ conditionType: 'liquidation_probability_above', conditionValue: 0.1 }),
    { kind: 'clear', reason: 'recovered', value: 0 } as Parameters<typeof clearedText>[1],
    { ...healthy, liquidationProbabilityError: 0.0006 },
  ),
  'rule: distance': fired({ conditionType: 'liquidation_distance_below', conditionValue: 20 }, 19.192),
  whale_move: whaleText(sampleMove('0x70997970c51812dc3a010c7d01b50e0d17dc79c8')),
  'webhook: failing': delivery({}),
  'webhook: disabled': delivery({ webhookDisabled: 'gone' }),
  'webhook: deleted': deletedText('wh_01aBcDeFgHiJkLmNoPqRsT'),
  'execution: failed': failedText(sampleExecution({ status: 'failed' })),
  'execution: over': endedText('executed'),
};

const sentences = (text: string): string[] =>
  text
    .split(/(?<=[.!?])\s+(?=[A-Z0-9])/)
    .map((sentence) =>
      sentence
        .trim()
        .replace(/[.!?]$/, '')
        .toLowerCase(),
    )
    .filter((sentence) => sentence !== '');

describe('the golden texts', () => {
  it('are at least 60', () => expect(Object.keys(TEXTS).length).toBeGreaterThanOrEqual(60));

  // Read every text again before committing a changed snapshot.
  it.each(Object.entries(TEXTS))('%s', (_name, text) => {
    expect(`${text.title}\n${text.message}`).toMatchSnapshot();
  });

  it.each(Object.entries(TEXTS))('%s repeats nothing and names nothing that is absent', (_name, text) => {
    const all = [text.title, ...sentences(text.message)].map((each) => each.toLowerCase());
    expect(new Set(all).size).toBe(all.length);
    expect(text.message).not.toMatch(/undefined|null|NaN|Infinity| {2}|\.\./);
    expect(text.message).toMatch(/[.]$/);
  });
});
