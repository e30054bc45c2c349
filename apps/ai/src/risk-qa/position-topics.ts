import { isWorse, priceSymbol } from '@plimsoll/contracts';
import { type Claim, type DraftAnswer } from '../facts/draft-answer';
import { draftOf, cannotAnswer } from '../answers/cannot-answer';
import { say } from '../answers/say';
import { derivedFact, sumFact } from '../facts/derived-fact';
import type { FactSheet } from '../facts/fact-sheet';
import type { LegFacts, PositionFacts } from '../facts/position-facts';
import { type Ask, DESCRIBED, type TopicWriter, isDraft, named, positionsOf, withDebt } from './ask';

type Writer = (positions: PositionFacts[], ask: Ask) => DraftAnswer;

const overPositions =
  (write: Writer): TopicWriter =>
  async (ask) => {
    const found = await positionsOf(ask);
    return isDraft(found) ? found : write(found, ask);
  };

function healthClaim(position: PositionFacts): Claim {
  if (position.raw.healthFactor === null)
    return say`The ${named(position)} owes nothing, so it has no health factor and cannot be liquidated.`;
  return say`The health factor of ${named(position)} is ${position.healthFactor}; its risk level is ${position.riskLevel}.`;
}

const healthFactor: Writer = (positions) => {
  const claims = positions.slice(0, DESCRIBED).map(healthClaim);
  const [first, second] = withDebt(positions);
  if (positions.length === 2 && first && second)
    claims.push(say`The ${named(first)} is the riskier of them.`);
  return draftOf(...claims, ...rest(positions));
};

/** The claim that there are further positions. */
function rest(positions: readonly PositionFacts[]): Claim[] {
  if (positions.length <= DESCRIBED) return [];
  const { text } = say`These are the positions of the lowest health factor; there are more.`;
  return [{ text, factIds: positions.slice(0, DESCRIBED).map(({ healthFactor: { id } }) => id) }];
}

const sums =
  (side: 'collateral' | 'debt'): Writer =>
  (positions, { question, reading: { sheet } }) => {
    const [fact, verb] =
      side === 'collateral' ? (['collateralUsd', 'holds'] as const) : (['debtUsd', 'owes'] as const);
    if (question.assets.length > 0) return legSums(sheet, positions, side, question.assets);
    const claims = positions
      .slice(0, DESCRIBED)
      .map((position) =>
        side === 'collateral'
          ? say`The ${named(position)} holds collateral of ${position[fact]}.`
          : say`The ${named(position)} owes ${position[fact]}.`,
      );
    if (positions.length === 1) return draftOf(...claims);
    const facts = positions.map((position) => position[fact]);
    const all = sumFact(sheet, `positions.${fact}.sum`, `${side} of all positions`, facts);
    const sum =
      verb === 'holds'
        ? say`Together the positions hold collateral of ${all}.`
        : say`Together the positions owe ${all}.`;
    return draftOf(sum, ...claims, ...rest(positions));
  };

function legSums(
  sheet: FactSheet,
  positions: readonly PositionFacts[],
  side: LegFacts['side'],
  assets: readonly string[],
): DraftAnswer {
  const claims = assets.flatMap((asset) => {
    const legs = positions
      .flatMap((position) => position.legs)
      .filter((leg) => leg.side === side && priceSymbol(leg.asset) === priceSymbol(asset));
    const [first] = legs;
    if (!first) return [];
    const name = `positions.${side}.${priceSymbol(asset).replace(/[^A-Z0-9.]/g, '_')}`;
    const of = `of an asset, ${side} of all positions`;
    const { value: symbol, time, source } = first.symbol;
    sheet.add(`${name}.symbol`, 'symbol of an asset', symbol, 'text', { time, source });
    const amount = sumFact(
      sheet,
      `${name}.amount`,
      `amount ${of}`,
      legs.map((leg) => leg.amount),
    );
    const value = sumFact(
      sheet,
      `${name}.usd`,
      `value ${of}`,
      legs.map((leg) => leg.usd),
    );
    return [
      side === 'collateral'
        ? say`The collateral in ${first.symbol} is ${amount}, worth ${value}.`
        : say`The debt in ${first.symbol} is ${amount}, worth ${value}.`,
    ];
  });
  return claims.length > 0 ? draftOf(...claims) : cannotAnswer('no_match');
}

const netWorth: Writer = (positions, { reading: { sheet } }) => {
  const facts = positions.map((position) => position.netWorthUsd);
  const [only] = positions.length === 1 ? positions : [];
  return draftOf(
    only
      ? say`The net worth of ${named(only)} is ${only.netWorthUsd}.`
      : say`The net worth of the positions together is ${sumFact(sheet, 'positions.netWorthUsd', 'net worth of the positions', facts)}.`,
  );
};

const loanToValue: Writer = (positions, { reading: { sheet } }) =>
  draftOf(
    ...positions.slice(0, DESCRIBED).map((position) => {
      const [debt, collateral] = [Number(position.debtUsd.value), Number(position.collateralUsd.value)];
      if (collateral === 0) return say`The ${named(position)} holds no collateral.`;
      const ratio = derivedFact(
        sheet,
        `position.${position.raw.id}.loanToValue`,
        'debt as a share of the collateral',
        debt / collateral,
        [position.debtUsd, position.collateralUsd],
        'fraction',
      );
      return say`The loan-to-value of ${named(position)} is ${ratio}.`;
    }),
    ...rest(positions),
  );

const riskiest: Writer = (positions) => {
  const [worst] = withDebt(positions);
  if (!worst) return cannotAnswer('no_debt');
  return draftOf(
    say`The riskiest is ${named(worst)}: its health factor is ${worst.healthFactor} and its risk level ${worst.riskLevel}.`,
  );
};

const safest: Writer = (positions) => {
  const best = withDebt(positions).at(-1);
  if (!best) return cannotAnswer('no_debt');
  return draftOf(say`The safest with debt is ${named(best)}: its health factor is ${best.healthFactor}.`);
};

const largest: Writer = (positions, { question }) => {
  const key = /debt|borrow|loan/.test(question.words) ? 'debtUsd' : 'collateralUsd';
  const [top] = positions.toSorted((a, b) => Number(b[key].value) - Number(a[key].value));
  if (!top) return cannotAnswer('no_positions');
  return draftOf(
    key === 'debtUsd'
      ? say`The largest debt is that of ${named(top)}: ${top.debtUsd}.`
      : say`The largest collateral is that of ${named(top)}: ${top.collateralUsd}.`,
  );
};

const atRisk: Writer = (positions, { question: { level }, reading: { sheet }, readers }) => {
  const time = new Date(readers.clock.now()).toISOString();
  const isMeant = ({ raw }: PositionFacts): boolean =>
    level === null
      ? isWorse(raw.riskLevel, 'moderate')
      : raw.healthFactor !== null && raw.healthFactor < level;
  const found = positions.filter(isMeant);
  const count = sheet.add(
    'positions.atRisk.count',
    'number of positions that are meant',
    found.length,
    'count',
    {
      time,
      source: 'GET /v1/positions',
    },
  );
  const threshold =
    level !== null &&
    sheet.add('question.level', 'health factor that the question names', level, 'ratio', {
      time,
      source: 'question',
    });
  const head = threshold
    ? say`The number of positions with a health factor below ${threshold} is ${count}.`
    : say`The number of positions at risk level high or worse is ${count}.`;
  return draftOf(head, ...found.slice(0, DESCRIBED).map(healthClaim), ...rest(found));
};

const positionCount: Writer = (positions, { reading: { sheet }, readers }) => {
  const at = { time: new Date(readers.clock.now()).toISOString(), source: 'GET /v1/positions' };
  const count = sheet.add('positions.found.count', 'number of positions', positions.length, 'count', at);
  return draftOf(say`The number of positions is ${count}.`);
};

export const POSITION_TOPICS = {
  health_factor: overPositions(healthFactor),
  collateral: overPositions(sums('collateral')),
  debt: overPositions(sums('debt')),
  net_worth: overPositions(netWorth),
  ltv: overPositions(loanToValue),
  riskiest: overPositions(riskiest),
  safest: overPositions(safest),
  largest: overPositions(largest),
  at_risk: overPositions(atRisk),
  position_count: overPositions(positionCount),
} as const;
