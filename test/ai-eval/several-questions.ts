import type { Draft } from './exact-questions';
import { netWorthUsd } from './expected';
import type { Market, Position } from './market';

const sum = (positions: readonly Position[], key: 'totalCollateralUsd' | 'totalDebtUsd'): number =>
  positions.reduce((total, position) => total + position[key], 0);

/** Questions over several positions. */
export function severalQuestions(market: Market): Draft[] {
  const { positions } = market;
  const debtors = positions.filter(({ healthFactor }) => healthFactor !== null);
  const health = ({ healthFactor }: Position): number => healthFactor ?? Infinity;
  const worst = debtors.toSorted((a, b) => health(a) - health(b))[0]!;
  const best = debtors.toSorted((a, b) => health(b) - health(a))[0]!;
  const richest = positions.toSorted((a, b) => b.totalCollateralUsd - a.totalCollateralUsd)[0]!;
  const deepest = positions.toSorted((a, b) => b.totalDebtUsd - a.totalDebtUsd)[0]!;
  const below = (level: number): number => debtors.filter((position) => health(position) < level).length;
  const held = (symbol: string): number =>
    positions
      .flatMap(({ collateralAssets }) => collateralAssets ?? [])
      .filter(({ asset }) => asset === symbol)
      .reduce((total, { amount }) => total + amount, 0);
  const owed = (symbol: string): number =>
    positions
      .flatMap(({ debtAssets }) => debtAssets ?? [])
      .filter(({ asset }) => asset === symbol)
      .reduce((total, { amount }) => total + amount, 0);
  const pairs = [0, 1, 2, 3].map((at) => [debtors[at * 2]!, debtors[at * 2 + 1]!] as const);
  const wallet = worst.wallet;
  const ofWallet = positions.filter((each) => each.wallet === wallet);
  const about = (question: string, numbers: number[], words: string[] = []): Draft => ({
    question,
    answered: true,
    numbers,
    words,
  });
  return [
    about('Which of my positions is riskiest?', [health(worst)], [worst.id]),
    about('Which position is closest to liquidation?', [health(worst)], [worst.id]),
    about('What is my weakest position?', [health(worst)], [worst.id]),
    about('Which position has the lowest health factor?', [health(worst)], [worst.id]),
    about('Which of my positions is the safest?', [health(best)], [best.id]),
    about('Which position has the highest health factor?', [health(best)], [best.id]),
    about('How much collateral do I have in total?', [sum(positions, 'totalCollateralUsd')]),
    about('What is the total collateral over all my positions?', [sum(positions, 'totalCollateralUsd')]),
    about('How much do I owe altogether?', [sum(positions, 'totalDebtUsd')]),
    about('What is my total debt?', [sum(positions, 'totalDebtUsd')]),
    about('What is my net worth?', [positions.reduce((total, position) => total + netWorthUsd(position), 0)]),
    about('How many positions do I have?', [positions.length]),
    about('How many positions have a health factor below 1.1?', [below(1.1)]),
    about('How many positions are below a health factor of 1.25?', [below(1.25)]),
    about('Which positions are under HF 1.05?', [below(1.05)]),
    about('How many of my positions are at risk?', [
      positions.filter(({ riskLevel }) => ['high', 'critical', 'liquidatable'].includes(riskLevel)).length,
    ]),
    about('Which is my largest position?', [richest.totalCollateralUsd], [richest.id]),
    about('Which position has the largest debt?', [deepest.totalDebtUsd], [deepest.id]),
    about('Which position has the biggest debt?', [deepest.totalDebtUsd], [deepest.id]),
    about('How much WETH collateral do I hold?', [held('WETH')]),
    about('How much WBTC is supplied as collateral?', [held('WBTC')]),
    about('How much USDC debt do I have?', [owed('USDC')]),
    about('How much DAI have I borrowed?', [owed('DAI')]),
    ...pairs.map(([a, b]) =>
      about(`Compare the health factors of ${a.id} and ${b.id}.`, [health(a), health(b)], [a.id, b.id]),
    ),
    about(
      `Which is riskier, ${debtors[1]!.id} or ${debtors[4]!.id}?`,
      [health(debtors[1]!)],
      [debtors[1]!.id],
    ),
    about(`What is the total debt of ${debtors[0]!.id} and ${debtors[3]!.id}?`, [
      debtors[0]!.totalDebtUsd + debtors[3]!.totalDebtUsd,
    ]),
    about(`How much debt does wallet ${wallet} have?`, [sum(ofWallet, 'totalDebtUsd')]),
  ];
}
