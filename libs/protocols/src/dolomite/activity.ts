import { type MinedLog, contractOf } from '@plimsoll/evm';
import { toEventSelector, type Address } from 'viem';
import { WAD } from '../fixed-point/math';
import { addToken } from '../reader/tokens';
import { marginAbi } from './abi';
import { readMarketTokens } from './reader';
import type { Activity } from '../activity/activity';
import type { ActivityFamily } from '../activity/activity-family';
import { EventTable } from '../activity/event-table';
import { type EventLayout, addressAt, eventLayout, fits, uintAt } from '../activity/log-words';

const UPDATE = '((bool sign, uint256 value) deltaWei, (bool sign, uint128 value) newPar)';
const DEPOSIT = eventLayout(
  `event LogDeposit(address indexed accountOwner, uint256 accountNumber, uint256 market, ${UPDATE} update, address from)`,
);
const WITHDRAW = eventLayout(
  `event LogWithdraw(address indexed accountOwner, uint256 accountNumber, uint256 market, ${UPDATE} update, address to)`,
);
const TRANSFER = eventLayout(
  `event LogTransfer(address indexed accountOneOwner, uint256 accountOneNumber, address indexed accountTwoOwner, uint256 accountTwoNumber, uint256 market, ${UPDATE} updateOne, ${UPDATE} updateTwo)`,
);
const LIQUIDATE = eventLayout(
  `event LogLiquidate(address indexed solidAccountOwner, uint256 solidAccountNumber, address indexed liquidAccountOwner, uint256 liquidAccountNumber, uint256 heldMarket, uint256 owedMarket, ${UPDATE} solidHeldUpdate, ${UPDATE} solidOwedUpdate, ${UPDATE} liquidHeldUpdate, ${UPDATE} liquidOwedUpdate)`,
);
/** Events of swaps: of an account at an exchange, and between two accounts. */
const [BUY, SELL] = ['LogBuy', 'LogSell'].map((name) =>
  eventLayout(
    `event ${name}(address indexed accountOwner, uint256 accountNumber, uint256 takerMarket, uint256 makerMarket, ${UPDATE} takerUpdate, ${UPDATE} makerUpdate, address exchangeWrapper)`,
  ),
) as [EventLayout, EventLayout];
const TRADE = eventLayout(
  `event LogTrade(address indexed takerAccountOwner, uint256 takerAccountNumber, address indexed makerAccountOwner, uint256 makerAccountNumber, uint256 inputMarket, uint256 outputMarket, ${UPDATE} takerInputUpdate, ${UPDATE} takerOutputUpdate, ${UPDATE} makerInputUpdate, ${UPDATE} makerOutputUpdate, address autoTrader)`,
);
/** Owner, number, market and update of each balance that a swap changes. */
const SWAPPED: readonly (readonly [EventLayout, readonly (readonly [string, string, string, string])[]])[] = [
  ...[BUY, SELL].map(
    (layout) =>
      [
        layout,
        [
          ['accountOwner', 'accountNumber', 'takerMarket', 'takerUpdate'],
          ['accountOwner', 'accountNumber', 'makerMarket', 'makerUpdate'],
        ],
      ] as const,
  ),
  [
    TRADE,
    [
      ['takerAccountOwner', 'takerAccountNumber', 'inputMarket', 'takerInputUpdate'],
      ['takerAccountOwner', 'takerAccountNumber', 'outputMarket', 'takerOutputUpdate'],
      ['makerAccountOwner', 'makerAccountNumber', 'inputMarket', 'makerInputUpdate'],
      ['makerAccountOwner', 'makerAccountNumber', 'outputMarket', 'makerOutputUpdate'],
    ],
  ],
];
/** Deployments differ in the width of an index, and therefore in the hash. */
const INDICES = ['uint96', 'uint112'].map((width) =>
  eventLayout(
    `event LogIndexUpdate(uint256 indexed market, (${width} borrow, ${width} supply, uint32 lastUpdate) index)`,
  ),
);
const MARKET_ADDED = toEventSelector('LogAddMarket(uint256,address)');
/** A balance that is stored as a principal and read back may lose some of the smallest units. */
const ROUNDING = 16n;

interface Margin {
  margin: Address;
  /** The index is the market id. */
  tokens: readonly Address[];
}

/** Dolomite: one row is DolomiteMargin. A sub-id is an account number. */
export const dolomiteActivity: ActivityFamily<Margin> = {
  events: new EventTable({}),
  noticeTopics: [
    ...[DEPOSIT, WITHDRAW, TRANSFER, LIQUIDATE, BUY, SELL, TRADE, ...INDICES].map(({ topic0 }) => topic0),
    MARKET_ADDED,
  ],
  readSource: async (scope, block) => {
    const margin = contractOf(scope.row, 'margin');
    const tokens = await readMarketTokens(scope, block);
    return { margin, tokens };
  },
  addressesOf: ({ margin }) => [margin],
  learn: (scope, source, logs, block) => {
    const isAdded = logs.some(({ topics }) => topics[0] === MARKET_ADDED);
    return isAdded ? dolomiteActivity.readSource(scope, block) : Promise.resolve(source);
  },
  tokenOf: () => null,
  compose: ({ tokens }, logs) => {
    const indices = new Map<bigint, { borrow: bigint; supply: bigint }>();
    return logs.flatMap((log) => {
      const layout = INDICES.find((each) => isOf(log, each));
      if (layout) {
        const at = (name: string): bigint => uintAt(log, layout.positionOf(name));
        indices.set(at('market'), { borrow: at('index.borrow'), supply: at('index.supply') });
      }
      return movesOf(log, tokens, (market) => indices.get(market) ?? { borrow: WAD, supply: WAD });
    });
  },
  addUsdPrice: (plan, _scope, { margin, tokens }, token) => {
    const id = tokens.indexOf(token);
    if (id < 0) return () => null;
    const price = plan.call(margin, marginAbi, 'getMarketPrice', [BigInt(id)]);
    const own = addToken(plan, token);
    return (results) => {
      const result = results.outcome(price);
      // Dollars for the smallest unit, times 1e36.
      const known = own(results);
      if (!known || !result.ok || result.value.value === 0n) return null;
      return (result.value.value * 10n ** BigInt(known.decimals)) / WAD;
    };
  },
};

type Indices = (market: bigint) => { borrow: bigint; supply: bigint };

function isOf(log: MinedLog, layout: EventLayout): boolean {
  return log.topics[0] === layout.topic0 && fits(log, layout);
}

function movesOf(log: MinedLog, tokens: readonly Address[], indices: Indices): Activity[] {
  const at = (layout: EventLayout, name: string) => uintAt(log, layout.positionOf(name));
  const token = (market: bigint): Address | undefined => tokens[Number(market)];
  const base = (owner: Address, number: bigint, market: bigint) => ({
    log,
    wallet: owner,
    counterparty: null,
    token: token(market)!,
    subId: String(number),
  });
  if (isOf(log, LIQUIDATE)) {
    const market = at(LIQUIDATE, 'owedMarket');
    const owner = addressAt(log, LIQUIDATE.positionOf('liquidAccountOwner'));
    const amountRaw = at(LIQUIDATE, 'liquidOwedUpdate.deltaWei.value');
    if (!token(market) || amountRaw === 0n) return [];
    const counterparty = otherThan(owner, addressAt(log, LIQUIDATE.positionOf('solidAccountOwner')));
    const of = base(owner, at(LIQUIDATE, 'liquidAccountNumber'), market);
    return [{ ...of, action: 'liquidation', counterparty, amountRaw }];
  }
  if (isOf(log, TRANSFER)) return transferMoves(log, tokens, indices);
  const swap = SWAPPED.find(([layout]) => isOf(log, layout));
  if (swap) return swapMoves(log, swap, tokens, indices);
  for (const [layout, other] of [
    [DEPOSIT, 'from'],
    [WITHDRAW, 'to'],
  ] as const) {
    if (!isOf(log, layout)) continue;
    const [market, owner] = [at(layout, 'market'), addressAt(log, layout.positionOf('accountOwner'))];
    if (!token(market)) return [];
    const counterparty = otherThan(owner, addressAt(log, layout.positionOf(other)));
    const of = { ...base(owner, at(layout, 'accountNumber'), market), counterparty };
    return movesOfUpdate(updateAt(log, layout, 'update'), indices(market)).map((move, part) => ({
      ...of,
      ...move,
      ...(part > 0 && { part }),
    }));
  }
  return [];
}

/**
 * The given token is withdrawn or borrowed, and the received token is supplied or repaid. The exchange is not
 * a counterparty.
 */
function swapMoves(
  log: MinedLog,
  [layout, balances]: (typeof SWAPPED)[number],
  tokens: readonly Address[],
  indices: Indices,
): Activity[] {
  return balances
    .flatMap(([owner, number, market, update]) => {
      const id = uintAt(log, layout.positionOf(market));
      const token = tokens[Number(id)];
      if (!token) return [];
      const wallet = addressAt(log, layout.positionOf(owner));
      const subId = String(uintAt(log, layout.positionOf(number)));
      const moves = movesOfUpdate(updateAt(log, layout, update), indices(id));
      return moves.map((move) => ({ log, wallet, counterparty: null, token, subId, ...move }));
    })
    .map((move, part) => ({ ...move, ...(part > 0 && { part }) }));
}

/** Between accounts of one owner only changes of debt count. Between two owners the whole position moves. */
function transferMoves(log: MinedLog, tokens: readonly Address[], indices: Indices): Activity[] {
  const at = (name: string): bigint => uintAt(log, TRANSFER.positionOf(name));
  const market = at('market');
  const token = tokens[Number(market)];
  if (!token) return [];
  const [one, two] = [
    {
      owner: addressAt(log, TRANSFER.positionOf('accountOneOwner')),
      number: at('accountOneNumber'),
      update: 'updateOne',
    },
    {
      owner: addressAt(log, TRANSFER.positionOf('accountTwoOwner')),
      number: at('accountTwoNumber'),
      update: 'updateTwo',
    },
  ] as const;
  if (one.owner !== two.owner) {
    const first = updateAt(log, TRANSFER, one.update);
    const [from, to] = first.isIn ? [two, one] : [one, two];
    if (first.delta === 0n) return [];
    const of = { log, token, wallet: from.owner, counterparty: to.owner, subId: String(from.number) };
    return [{ ...of, action: 'transfer', amountRaw: first.delta }];
  }
  return [one, two]
    .flatMap(({ owner, number, update }) => {
      const of = { log, token, wallet: owner, counterparty: null, subId: String(number) };
      return movesOfUpdate(updateAt(log, TRANSFER, update), indices(market)).flatMap((move) =>
        move.action === 'borrow' || move.action === 'repay' ? [{ ...of, ...move }] : [],
      );
    })
    .map((move, part) => ({ ...move, ...(part > 0 && { part }) }));
}

interface BalanceUpdate {
  isIn: boolean;
  delta: bigint;
  isDebt: boolean;
  par: bigint;
}

function updateAt(log: MinedLog, layout: EventLayout, name: string): BalanceUpdate {
  const at = (part: string): bigint => uintAt(log, layout.positionOf(`${name}.${part}`));
  return {
    isIn: at('deltaWei.sign') === 1n,
    delta: at('deltaWei.value'),
    isDebt: at('newPar.sign') === 0n,
    par: at('newPar.value'),
  };
}

/** Incoming tokens pay debt first. Outgoing tokens are borrowed when no supply is left. */
function movesOfUpdate(
  { isIn, delta, isDebt, par }: BalanceUpdate,
  index: { borrow: bigint; supply: bigint },
): Pick<Activity, 'action' | 'amountRaw'>[] {
  const balance = (par * (isDebt ? index.borrow : index.supply)) / WAD;
  // The part of the change on the side of the new balance.
  const beyond = isDebt === isIn && par > 0n ? 0n : balance < delta ? balance : delta;
  const within = delta - beyond;
  const [first, last] = isIn ? (['repay', 'supply'] as const) : (['withdraw', 'borrow'] as const);
  if (beyond > 0n && within <= ROUNDING) return [{ action: last, amountRaw: delta }];
  if (within > 0n && beyond <= ROUNDING) return [{ action: first, amountRaw: delta }];
  return delta === 0n
    ? []
    : [
        { action: first, amountRaw: within },
        { action: last, amountRaw: beyond },
      ];
}

const otherThan = (wallet: Address, other: Address): Address | null => (other === wallet ? null : other);
