import type { Claim } from '../facts/draft-answer';
import { draftOf, cannotAnswer } from '../answers/cannot-answer';
import { listed, say } from '../answers/say';
import { sumFact } from '../facts/derived-fact';
import type { PriceFacts, ProtocolFacts } from '../facts/market.reader';
import type { Ask, TopicWriter } from './ask';

/** Protocols and assets that one answer is about. */
const NAMED = 5;
const DAY_MS = 86_400_000;

const index: TopicWriter = async ({ question: { words }, reading, readers: { market } }) => {
  const figures = await market.index(reading);
  if (figures === null) return cannotAnswer('unavailable');
  const { gri, label, trend, volatility, liquidationPressure, protocolStability } = figures;
  const parts = [
    ...(/volatil/.test(words) ? [say`Its volatility component is ${volatility}.`] : []),
    ...(/pressure/.test(words) ? [say`Its liquidation pressure is ${liquidationPressure}.`] : []),
    ...(/stabil/.test(words) ? [say`Its protocol stability is ${protocolStability}.`] : []),
  ];
  return draftOf(say`The global risk index is ${gri}, which is ${label}; its trend is ${trend}.`, ...parts);
};

const overPrices =
  (write: (price: PriceFacts) => Claim): TopicWriter =>
  async ({ question: { assets }, reading, readers: { market } }) => {
    if (assets.length === 0) return cannotAnswer('no_asset');
    const read = await market.prices(reading, assets.slice(0, NAMED));
    if (read === null) return cannotAnswer('unavailable');
    if (read.missing.length > 0) return cannotAnswer('unknown_asset');
    return draftOf(...read.prices.map(write));
  };

const price = overPrices(({ symbol, usd }) => say`The price of ${symbol} is ${usd}.`);
const priceChange = overPrices(
  ({ symbol, usd, change24h }) =>
    say`The price of ${symbol} changed by ${change24h} over the past day and is ${usd}.`,
);

async function protocolsOf({ question, reading, readers }: Ask): Promise<ProtocolFacts[] | null> {
  const ids = await readers.protocols.named(reading, question.words);
  const read = await Promise.all(ids.slice(0, NAMED).map((id) => readers.market.protocol(reading, id)));
  const found = read.filter((each) => each !== null && each !== 'not_found');
  return ids.length > 0 && found.length === 0 ? null : found;
}

const overProtocols =
  (write: (protocols: ProtocolFacts[], ask: Ask) => Claim[]): TopicWriter =>
  async (ask) => {
    const found = await protocolsOf(ask);
    if (found === null) return cannotAnswer('unavailable');
    if (found.length === 0) return cannotAnswer('no_protocol');
    const claims = write(found, ask);
    return claims.length > 0 ? draftOf(...claims) : cannotAnswer('unavailable');
  };

const valueLocked: TopicWriter = async (ask) => {
  const isWhich = /\b(?:highest|largest|biggest|top|most)\b/.test(ask.question.words);
  const [first] = isWhich ? await ask.readers.protocols.ids(ask.reading) : [];
  if (first !== undefined) {
    const top = await ask.readers.market.protocol(ask.reading, first);
    if (top === null || top === 'not_found') return cannotAnswer('unavailable');
    return draftOf(say`The protocol of the largest value locked is ${top.id}, with ${top.tvl}.`);
  }
  return overProtocols((protocols, { reading: { sheet } }) => {
    const known = protocols.filter(({ tvl }) => tvl.value !== null);
    const each = known.map(({ id, tvl }) => say`The value locked in ${id} is ${tvl}.`);
    if (known.length < 2) return each;
    const facts = known.map(({ tvl }) => tvl);
    return [
      ...each,
      say`Together that is ${sumFact(sheet, 'protocols.tvl.sum', 'value locked in the protocols named', facts)}.`,
    ];
  })(ask);
};

const utilisation = overProtocols((protocols) =>
  protocols.flatMap(({ id, markets }) => {
    const read = markets.filter(({ utilisation: share }) => share.value !== null);
    return read.length === 0
      ? []
      : [
          say`The utilisation of the markets of ${id} is ${listed(read.map(({ utilisation: share }) => share))}.`,
        ];
  }),
);

const protocolRisk = overProtocols((protocols) =>
  protocols.map(
    ({ id, riskTier, category, status }) =>
      say`The risk tier of ${id} is ${riskTier}, its category ${category} and its status ${status}.`,
  ),
);

const whales: TopicWriter = async ({ question, reading, readers: { whales: reader, protocols, clock } }) => {
  const days = question.days ?? 1;
  const since = new Date(clock.now() - days * DAY_MS).toISOString();
  const [protocol = null] = await protocols.named(reading, question.words);
  const moves = await reader.moves(reading, since, protocol);
  if (moves === null) return cannotAnswer('unavailable');
  const count = reading.sheet.add('moves.count', 'number of large moves', moves.length, 'count', {
    time: new Date(clock.now()).toISOString(),
    source: 'GET /v1/whales/activity',
  });
  const [top] = moves.toSorted((a, b) => b.raw.usdValue - a.raw.usdValue);
  const head = say`The number of moves of large wallets is ${count}.`;
  if (!top) return draftOf(head);
  return draftOf(
    head,
    say`The largest is a ${top.action} of ${top.usd} in ${top.protocol} by ${top.wallet} at ${top.at}.`,
  );
};

export const MARKET_TOPICS = {
  index,
  price,
  price_change: priceChange,
  tvl: valueLocked,
  utilisation,
  protocol_risk: protocolRisk,
  whales,
} as const;
