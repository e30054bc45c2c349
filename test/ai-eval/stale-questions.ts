import { distancePercent } from './expected';
import type { Draft } from './exact-questions';
import type { Market } from './market';

/** Questions while the sources are old, partly unreadable or down. */
export function staleQuestions(market: Market): Draft[] {
  const debtors = market.positions.filter(({ healthFactor }) => healthFactor !== null);
  const [a, b, c, d, e] = debtors;
  const behind = [a!, b!, c!, d!, e!].map(({ id, healthFactor }): Draft => ({
    question: `What is the health factor of ${id}?`,
    answered: true,
    numbers: [healthFactor!],
    overlay: 'positions_behind',
    saysOld: true,
  }));
  const prices = ['ETH', 'BTC', 'LINK', 'USDC', 'DAI'].map((symbol): Draft => ({
    question: `What is the price of ${symbol}?`,
    answered: true,
    numbers: [market.price(symbol)?.usd ?? NaN],
    overlay: 'stale_prices',
    saysOld: true,
  }));
  const unreadable = [
    [
      'How much do I owe altogether?',
      debtors.reduce((sum, { totalDebtUsd }) => sum + totalDebtUsd, 0),
    ] as const,
    ['Which of my positions is riskiest?', a!.healthFactor!] as const,
    ['How many positions do I have?', market.positions.length] as const,
    [`What is the LTV of ${b!.id}?`, (b!.totalDebtUsd / b!.totalCollateralUsd) * 100] as const,
    [`What is the health factor of ${c!.id}?`, c!.healthFactor!] as const,
  ].map(([question, number]): Draft => ({
    question,
    answered: true,
    numbers: [number],
    overlay: 'unreadable',
    saysOld: true,
  }));
  const away = [a!, b!, c!, d!, e!].map((position): Draft => ({
    question: `How far is ${position.id} from liquidation?`,
    answered: false,
    overlay: 'simulation_away',
    saysOld: true,
    absent: [distancePercent(position).toFixed(2)],
  }));
  return [...behind, ...prices, ...unreadable, ...away];
}
