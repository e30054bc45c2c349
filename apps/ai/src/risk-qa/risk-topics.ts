import { assetClass, priceSymbol } from '@plimsoll/contracts';
import type { Claim, DraftAnswer } from '../facts/draft-answer';
import { draftOf, cannotAnswer } from '../answers/cannot-answer';
import { errorPhrase } from '../answers/error-phrase';
import { listed, say } from '../answers/say';
import type { PositionFacts } from '../facts/position-facts';
import type { Move } from '../questions/question';
import { type Ask, type TopicWriter, isDraft, named, positionsOf, withDebt } from './ask';

/** Positions that one answer simulates: each costs a call. */
const SIMULATED = 3;
/** The default horizon of a question is a month, and its default target is the lower limit of the band low. */
const HORIZON_DAYS = 30;
const SAFE = 1.5;
const MAX_TARGET = 10;
const MAX_DAYS = 365;
const [MIN_PERCENT, MAX_PERCENT] = [-100, 10_000];

type Simulate = (ask: Ask, position: PositionFacts) => Promise<Claim[] | null>;

/** Computes over the positions with debt and the lowest health factor. */
const overDebtors =
  (simulate: Simulate): TopicWriter =>
  async (ask) => {
    const found = await positionsOf(ask);
    if (isDraft(found)) return found;
    return simulated(ask, withDebt(found), simulate);
  };

async function simulated(ask: Ask, debtors: PositionFacts[], simulate: Simulate): Promise<DraftAnswer> {
  if (debtors.length === 0) return cannotAnswer('no_debt');
  const claims = await Promise.all(debtors.slice(0, SIMULATED).map((position) => simulate(ask, position)));
  const said = claims.flatMap((each) => each ?? []);
  if (said.length === 0) return cannotAnswer('unavailable');
  const { text } = say`These are the positions of the lowest health factor; there are more.`;
  const factIds = debtors.slice(0, SIMULATED).map(({ healthFactor: { id } }) => id);
  const more = debtors.length > SIMULATED ? [{ text, factIds }] : [];
  return draftOf(...said, ...more);
}

const probability: TopicWriter = async (ask) => {
  const days = Math.ceil(ask.question.days ?? HORIZON_DAYS);
  if (days < 1 || days > MAX_DAYS) return cannotAnswer('horizon');
  return overDebtors(async ({ reading, readers: { risk } }, position) => {
    const { id } = position.raw;
    const chances = await (days === HORIZON_DAYS ? risk.score(reading, id) : risk.chances(reading, id, days));
    if (chances === null) return null;
    const { horizonDays, probability: chance, standardError, upperBound95 } = chances;
    const error = errorPhrase(standardError, upperBound95);
    return [
      say`The probability that ${named(position)} is liquidated within ${horizonDays} is ${chance}${error}.`,
    ];
  })(ask);
};

const riskScore = overDebtors(async ({ reading, readers: { risk } }, position) => {
  const scored = await risk.score(reading, position.raw.id);
  return scored && [say`The risk score of ${named(position)} is ${scored.score}, which is ${scored.label}.`];
});

const time = overDebtors(async ({ reading, readers: { risk } }, position) => {
  const forecast = await risk.forecast(reading, position.raw.id);
  if (forecast === null) return null;
  const { daysToLiquidation } = forecast;
  return daysToLiquidation.value === null
    ? [say`The median time until ${named(position)} is liquidated is beyond a year, if no wallet acts.`]
    : [
        say`The median time until ${named(position)} is liquidated is ${daysToLiquidation}, if no wallet acts.`,
      ];
});

const price = overDebtors(async ({ question, reading, readers: { risk } }, position) => {
  const forecast = await risk.forecast(reading, position.raw.id);
  if (forecast === null) return null;
  const asked = question.assets.map(priceSymbol);
  const prices = forecast.prices.filter(
    ({ symbol }) => asked.length === 0 || asked.includes(priceSymbol(symbol)),
  );
  if (prices.length === 0)
    return [say`No price of that asset alone, all others standing still, liquidates ${named(position)}.`];
  const parts = prices.map(({ symbol, price: at }) => {
    const leg = position.legs.find(({ asset }) => asset === symbol);
    return leg ? say`${leg.symbol} at ${at}` : say`${at}`;
  });
  return [say`All other prices standing still, ${named(position)} is liquidated with ${listed(parts)}.`];
});

const distance = overDebtors(async ({ reading, readers: { risk } }, position) => {
  const forecast = await risk.forecast(reading, position.raw.id);
  if (forecast === null || forecast.distancePercent.value === null) return null;
  if (Number(forecast.distancePercent.value) <= 0)
    return [
      say`The ${named(position)} can be liquidated now: its health factor is ${position.healthFactor}, and the fall that liquidates is ${forecast.distancePercent}.`,
    ];
  return [
    say`A fall of all collateral of ${named(position)} by ${forecast.distancePercent} liquidates it; its health factor is ${position.healthFactor}.`,
  ];
});

const target = ({ question: { level } }: Ask): number | null => {
  const wanted = level ?? SAFE;
  return wanted > 1 && wanted <= MAX_TARGET ? wanted : null;
};

const repay: TopicWriter = async (ask) => {
  const wanted = target(ask);
  if (wanted === null) return cannotAnswer('no_target');
  return overDebtors(async ({ reading, readers: { risk } }, position) => {
    const plan = await risk.deleverage(reading, position.raw.id, wanted);
    if (plan === null) return null;
    return plan.repayUsd.value === 0
      ? [
          say`The ${named(position)} has a health factor of ${position.healthFactor}, above ${plan.target}: nothing needs to be repaid.`,
        ]
      : [say`Repaying ${plan.repayUsd} takes ${named(position)} to a health factor of ${plan.target}.`];
  })(ask);
};

const add: TopicWriter = async (ask) => {
  const wanted = target(ask);
  if (wanted === null) return cannotAnswer('no_target');
  const asked = ask.question.assets.map(priceSymbol);
  return overDebtors(async ({ reading, readers: { risk } }, position) => {
    const plan = await risk.deleverage(reading, position.raw.id, wanted);
    if (plan === null) return null;
    const ways = plan.addUsd.filter(
      ({ symbol }) => asked.length === 0 || asked.includes(priceSymbol(symbol)),
    );
    if (ways.length === 0) return [say`The ${named(position)} holds no such collateral to add to.`];
    const parts = ways.map(({ symbol, usd }) => {
      const leg = position.legs.find(({ asset }) => asset === symbol);
      return leg ? say`${usd} of ${leg.symbol}` : say`${usd}`;
    });
    const some = parts.length > 1 ? say`either ${listed(parts)}` : listed(parts);
    return [say`Adding ${some} takes ${named(position)} to a health factor of ${plan.target}.`];
  })(ask);
};

/** The legs that a change of an asset's price moves: those of its price, and staking tokens of its family. */
function moves({ asset }: Move, { legs }: PositionFacts): boolean {
  const symbol = priceSymbol(asset);
  return legs.some(
    (leg) => asset === '*' || priceSymbol(leg.asset) === symbol || assetClass(leg.asset).family === symbol,
  );
}

function scenarios(
  position: PositionFacts,
  asked: readonly Move[],
): { asset: string; priceChangePercent: number }[] {
  return asked
    .filter((move) => moves(move, position))
    .flatMap(({ asset, change }) => {
      const leg = position.legs.find((each) => priceSymbol(each.asset) === priceSymbol(asset));
      const now = leg ? Number(leg.usd.value) / Number(leg.amount.value) : NaN;
      const percent = 'percent' in change ? change.percent : (change.priceUsd / now - 1) * 100;
      if (!Number.isFinite(percent)) return [];
      if (asset !== '*') return [{ asset, priceChangePercent: percent }];
      const secured = position.legs.filter(({ liquidationThresholdBps }) => liquidationThresholdBps !== null);
      return [...new Set(secured.map((each) => each.asset))].map((each) => ({
        asset: each,
        priceChangePercent: percent,
      }));
    });
}

const whatIf: TopicWriter = async (ask) => {
  const { moves: asked } = ask.question;
  if (asked.length === 0) return cannotAnswer('no_change');
  const isWithin = ({ change }: Move): boolean =>
    !('percent' in change) || (change.percent >= MIN_PERCENT && change.percent <= MAX_PERCENT);
  if (!asked.every(isWithin)) return cannotAnswer('change_range');
  const found = await positionsOf(ask);
  if (isDraft(found)) return found;
  const debtors = withDebt(found);
  if (debtors.length === 0) return cannotAnswer('no_debt');
  const holding = debtors.filter((position) => scenarios(position, asked).length > 0);
  if (holding.length === 0) return cannotAnswer('not_held');
  return simulated(ask, holding, async ({ reading, readers: { risk } }, position) => {
    const after = await risk.whatIf(reading, position.raw.id, scenarios(position, asked));
    if (after === null) return null;
    const changes = after.changes.map(({ asset, percent }) => {
      const leg = position.legs.find((each) => priceSymbol(each.asset) === priceSymbol(asset));
      return leg ? say`${leg.symbol} by ${percent}` : say`the price by ${percent}`;
    });
    return [
      say`With a change of ${listed(changes)}, the health factor of ${named(position)} goes from ${position.healthFactor} to ${after.healthFactor}; its risk level is then ${after.band} and its net worth ${after.loss} lower.`,
    ];
  });
};

const portfolioRisk: TopicWriter = async ({ question, reading, readers: { risk } }) => {
  const figures = await risk.portfolio(reading, question.wallets);
  if (figures === null) return cannotAnswer('unavailable');
  const { var95, cvar95, volatility } = figures;
  if (var95.value === null || cvar95.value === null || volatility.value === null)
    return cannotAnswer('no_positions');
  return draftOf(
    say`The value at risk of a day is ${var95} and the expected shortfall ${cvar95}; the volatility a year is ${volatility}.`,
  );
};

export const RISK_TOPICS = {
  liquidation_probability: probability,
  risk_score: riskScore,
  liquidation_time: time,
  liquidation_price: price,
  liquidation_distance: distance,
  repay_to_target: repay,
  add_to_target: add,
  what_if: whatIf,
  portfolio_risk: portfolioRisk,
} as const;
