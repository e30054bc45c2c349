import { isWorse, priceSymbol } from '@plimsoll/contracts';
import type { Claim } from '../facts/draft-answer';
import { say } from '../answers/say';
import type { AlertsReader } from '../facts/alerts.reader';
import type { Fact } from '../facts/fact';
import type { IndexFacts, PriceFacts } from '../facts/market.reader';
import type { PositionFacts } from '../facts/position-facts';
import type { MoveFacts } from '../facts/whales.reader';

/** Most positions, assets and risks that a briefing names one by one. */
export const NAMED = 5;

/** A price at the beginning of the timeframe and now. */
export interface PriceSpan {
  symbol: Fact;
  before: Fact;
  after: Fact;
  changePercent: Fact;
}

/** The facts of a briefing. Null: they could not be read. */
export interface BriefingFacts {
  positions: {
    positions: PositionFacts[];
    count: Fact;
    collateralUsd: Fact;
    debtUsd: Fact;
    /** Whether unreadable positions may exist besides these. */
    isPartial: boolean;
  } | null;
  index: IndexFacts | null;
  indexThen: Fact | null;
  alerts: Awaited<ReturnType<AlertsReader['alerts']>>;
  incidents: Awaited<ReturnType<AlertsReader['incidents']>>;
  openIncidents: Awaited<ReturnType<AlertsReader['incidents']>>;
  prices: PriceFacts[];
  spans: PriceSpan[];
  moves: { count: Fact; top: MoveFacts | null } | null;
}

const under = (section: string, claims: readonly Claim[]): Claim[] =>
  claims.map((claim) => ({ ...claim, section }));

/** Positions at risk level high or worse, lowest health factor first. */
export function atRisk({ positions }: BriefingFacts): PositionFacts[] {
  return (positions?.positions ?? []).filter(({ raw }) => isWorse(raw.riskLevel, 'moderate'));
}

/** The symbols of the largest holdings of the positions, by value. */
export function heldSymbols(positions: readonly PositionFacts[]): string[] {
  const byPrice = new Map<string, number>();
  for (const { raw } of positions) {
    for (const { asset, usdValue } of [...(raw.collateralAssets ?? []), ...(raw.debtAssets ?? [])]) {
      const symbol = priceSymbol(asset);
      byPrice.set(symbol, (byPrice.get(symbol) ?? 0) + usdValue);
    }
  }
  return [...byPrice]
    .toSorted((a, b) => b[1] - a[1])
    .slice(0, NAMED)
    .map(([symbol]) => symbol);
}

function positionClaims(facts: BriefingFacts): Claim[] {
  if (facts.positions === null) return [];
  const { positions, count, collateralUsd, debtUsd, isPartial } = facts.positions;
  if (positions.length === 0)
    return [
      isPartial
        ? say`The holdings of the watched wallets could not be read now.`
        : say`The watched wallets have no positions.`,
    ];
  const risky = atRisk(facts);
  const totals = isPartial
    ? say`Not all positions of the watched wallets could be read now; those that could are ${count}, with collateral of ${collateralUsd} and debt of ${debtUsd}.`
    : say`The watched wallets have ${count} positions, with collateral of ${collateralUsd} and debt of ${debtUsd}.`;
  if (risky.length === 0) return [totals, say`None of them is at risk level high or worse.`];
  return [
    totals,
    ...risky
      .slice(0, NAMED)
      .map(
        ({ id, protocol, healthFactor, riskLevel }) =>
          say`Position ${id} (${protocol}) has a health factor of ${healthFactor}; its risk level is ${riskLevel}.`,
      ),
  ];
}

function alertClaims({ alerts, incidents, openIncidents }: BriefingFacts): Claim[] {
  return [
    ...(alerts ? [say`Alerts that opened within the timeframe: ${alerts.count}.`] : []),
    ...(incidents ? [say`Incidents that opened within the timeframe: ${incidents.count}.`] : []),
    ...(openIncidents ? [say`Incidents that are open now: ${openIncidents.count}.`] : []),
  ];
}

function marketClaims({ index, indexThen, prices, spans }: BriefingFacts): Claim[] {
  const now = index
    ? [
        say`The global risk index is ${index.gri}, which is ${index.label}; its trend over the past day is ${index.trend}.`,
      ]
    : [];
  const then = indexThen ? [say`At the beginning of the timeframe it was ${indexThen}.`] : [];
  const changes = prices.map(
    ({ symbol, usd, change24h }) => say`${symbol} is at ${usd}, a change of ${change24h} over the past day.`,
  );
  const longer = spans.map(
    ({ symbol, before, after, changePercent }) =>
      say`${symbol} went from ${before} to ${after} by the closes of days, a change of ${changePercent}.`,
  );
  return [...now, ...then, ...(longer.length > 0 ? longer : changes)];
}

function whaleClaims({ moves }: BriefingFacts): Claim[] {
  if (!moves) return [];
  const { count, top } = moves;
  const head = say`Moves of large wallets within the timeframe: ${count}.`;
  return top
    ? [head, say`The largest was a ${top.action} of ${top.usd} in ${top.protocol} at ${top.at}.`]
    : [head];
}

/** All claims of a briefing, each under its heading. */
export function briefingClaims(facts: BriefingFacts): Claim[] {
  return [
    ...under('Positions', positionClaims(facts)),
    ...under('Alerts and incidents', alertClaims(facts)),
    ...under('Market', marketClaims(facts)),
    ...under('Large wallets', whaleClaims(facts)),
  ];
}

/** The most severe first: positions that are close to liquidation, then a market under stress. */
export function topRisks(facts: BriefingFacts): Claim[] {
  const positions = atRisk(facts)
    .slice(0, NAMED)
    .map(
      ({ id, protocol, healthFactor, riskLevel }) =>
        say`Position ${id} (${protocol}): health factor ${healthFactor}, risk level ${riskLevel}`,
    );
  const { index, prices } = facts;
  const market =
    index && ['high', 'critical'].includes(String(index.label.value))
      ? [say`The risk index is ${index.gri}, which is ${index.label}`]
      : [];
  const pegs = prices
    .filter(({ raw }) => raw.isDepegged)
    .map(({ symbol, usd }) => say`${symbol} is off its peg, at ${usd}`);
  return [...positions, ...pegs, ...market].slice(0, NAMED);
}

/** Claims as Markdown: a heading for each section, a list under it. */
export function markdown(claims: readonly Claim[]): string {
  const sections = new Map<string, string[]>();
  for (const { section = 'Summary', text } of claims) {
    sections.set(section, [...(sections.get(section) ?? []), `- ${text}`]);
  }
  const parts = [...sections].map(([section, lines]) => `## ${section}\n\n${lines.join('\n')}`);
  return ['# Risk briefing', ...parts].join('\n\n');
}
