import type { BlockRef } from '@plimsoll/evm';
import { type PositionsRead, type ProtocolReader, aaveV3 } from '@plimsoll/protocols';
import { type Address, keccak256, numberToHex, toHex } from 'viem';

type Market = Parameters<typeof aaveV3.evaluate>[1];
type Account = Parameters<typeof aaveV3.evaluate>[2];
type Reserve = Market['reserves'][number];

const RAY = 10n ** 27n;
const YEAR_SECONDS = 31_536_000n;
const ROW = { protocol: 'aave-v3', family: 'aave-v3', chainId: 1, market: 'Generated', contracts: {} };

/** The initial state of one reserve. The price has 8 decimals. */
export interface GeneratedReserve {
  symbol: string;
  decimals: number;
  price: bigint;
  thresholdBps: bigint;
  /** Yearly, in basis points, of debts; supplies earn half of it. */
  rateBps: bigint;
}

/** The balance of a wallet in one reserve, in scaled units. */
export interface GeneratedBalance {
  reserve: number;
  supply: bigint;
  debt: bigint;
}

const addressOf = (salt: string, id: number): Address => `0x${keccak256(toHex(`${salt} ${id}`)).slice(26)}`;
export const walletOf = (id: number): Address => addressOf('wallet', id);

/**
 * A pool of Aave without a chain, with the family's own arithmetic, for tests that need more blocks or
 * wallets than a node can provide in their time.
 */
export class GeneratedMarket {
  private block: BlockRef = { number: 1n, hash: keccak256('0x01'), timestamp: 1_800_000_000n };
  private market: Market;
  private readonly accounts = new Map<Address, Account>();
  private readonly acts: { block: bigint; wallet: Address; isOpening: boolean }[] = [];

  /** @param revision of the pool: up to 5 the average threshold is truncated */
  constructor(reserves: readonly GeneratedReserve[], revision: bigint) {
    const [own, other] = [addressOf('pool', 0), addressOf('oracle', 0)];
    const layout = { addressesProvider: own, pool: own, oracle: other, revision, priceDecimals: 8 };
    this.market = {
      layout: { ...layout, assets: [], hasEModeBitmaps: false, eModes: [] },
      block: this.block,
      reserves: reserves.map(toReserve),
      eModes: new Map(),
      usdPerBaseRaw: 10n ** 18n,
    };
  }

  get head(): BlockRef {
    return this.block;
  }

  /** The next block, with the interest of its time. */
  mine(seconds: bigint): BlockRef {
    const number = this.block.number + 1n;
    const timestamp = this.block.timestamp + seconds;
    this.block = { number, hash: keccak256(numberToHex(number)), timestamp };
    const grown = (index: bigint, rate: bigint): bigint =>
      index + (index * rate * seconds) / YEAR_SECONDS / RAY;
    this.change((reserve) => ({
      ...reserve,
      normalizedIncome: grown(reserve.normalizedIncome, reserve.liquidityRate),
      normalizedDebt: grown(reserve.normalizedDebt, reserve.variableBorrowRate),
    }));
    return this.block;
  }

  setPrice(id: number, price: bigint): void {
    this.change((reserve) => (reserve.id === id ? { ...reserve, price } : reserve));
  }

  priceOf(id: number): bigint {
    return this.market.reserves[id]!.price!;
  }

  setThreshold(id: number, liquidationThresholdBps: bigint): void {
    this.change((reserve) =>
      reserve.id === id
        ? { ...reserve, parameters: { ...reserve.parameters, liquidationThresholdBps } }
        : reserve,
    );
  }

  /** The wallet acts in the block that is mined next. */
  hold(wallet: Address, balances: readonly GeneratedBalance[]): void {
    const isOpening = this.accountOf(wallet).balances.size === 0;
    const stableDebt = { principal: 0n, rate: 0n, since: 0n };
    let userConfiguration = 0n;
    for (const { reserve, supply, debt } of balances) {
      if (debt > 0n) userConfiguration |= 1n << BigInt(2 * reserve);
      if (supply > 0n) userConfiguration |= 1n << BigInt(2 * reserve + 1);
    }
    this.accounts.set(wallet, {
      wallet,
      userConfiguration,
      eModeCategory: 0,
      balances: new Map(
        balances
          .filter(({ supply, debt }) => supply + debt > 0n)
          .map(({ reserve, supply, debt }) => [
            reserve,
            { scaledSupply: supply, scaledVariableDebt: debt, stableDebt },
          ]),
      ),
    });
    this.acts.push({ block: this.block.number + 1n, wallet, isOpening });
  }

  /**
   * @param kind the family's knowledge. 'ratios': the wallets that acted, and the inputs of evaluations.
   * 'touched': the
   *   wallets that acted. 'opened': those of them that held nothing before. 'nothing': all may have acted in every block
   */
  reader(kind: 'ratios' | 'touched' | 'opened' | 'nothing' = 'ratios'): ProtocolReader<unknown, unknown> {
    const reader: ProtocolReader<Market, Account> = {
      row: ROW,
      hasRates: false,
      hasAnnouncements: false,
      ...(kind === 'ratios' && { ratios: aaveV3.ratios! }),
      probe: () => Promise.resolve({ ok: true }),
      readMarket: () => Promise.resolve(this.market),
      readAccounts: (wallets) => {
        const accounts = new Map(wallets.map((wallet) => [wallet, this.accountOf(wallet)]));
        return Promise.resolve({ accounts, unreadable: [] });
      },
      evaluate: (market, account) => aaveV3.evaluate(ROW, market, account),
      confirm: (positions) => Promise.resolve({ positions: [...positions], unreadable: [], mismatches: [] }),
      readPositions: (wallets) => Promise.resolve(this.read(wallets)),
      readTotals: () => Promise.resolve(null),
      readReserve: () => Promise.resolve(null),
      readRates: () => Promise.resolve(null),
      readAnnouncements: () => Promise.resolve({ changes: [], ended: [] }),
      readTouchedWallets: (from, to) => {
        if (kind === 'nothing') return Promise.resolve('all');
        const acts = this.acts.filter(({ block }) => block >= from && block <= to);
        if (kind !== 'opened') return Promise.resolve(acts.map(({ wallet }) => wallet));
        const openings = acts.filter(({ isOpening }) => isOpening);
        return Promise.resolve({ opened: openings.map(({ wallet }) => wallet) });
      },
    };
    return reader as ProtocolReader<unknown, unknown>;
  }

  private read(wallets: readonly Address[]): PositionsRead {
    const positions = wallets.flatMap(
      (wallet) => aaveV3.evaluate(ROW, this.market, this.accountOf(wallet)) ?? [],
    );
    return { positions, unreadable: [], mismatches: [] };
  }

  private accountOf(wallet: Address): Account {
    const empty = { wallet, userConfiguration: 0n, eModeCategory: 0, balances: new Map() };
    return this.accounts.get(wallet) ?? empty;
  }

  private change(change: (reserve: Reserve) => Reserve): void {
    this.market = { ...this.market, block: this.block, reserves: this.market.reserves.map(change) };
  }
}

function toReserve(
  { symbol, decimals, price, thresholdBps, rateBps }: GeneratedReserve,
  id: number,
): Reserve {
  const token = addressOf('token', id);
  return {
    id,
    symbol,
    address: token,
    parameters: {
      ltvBps: thresholdBps,
      liquidationThresholdBps: thresholdBps,
      liquidationBonusBps: 10_500n,
      decimals,
      isActive: true,
      isFrozen: false,
      isPaused: false,
      eModeCategory: 0,
    },
    unit: 10n ** BigInt(decimals),
    supplyCap: null,
    borrowCap: null,
    aToken: token,
    variableDebtToken: token,
    stableDebtToken: null,
    hasStableDebt: false,
    price,
    priceSource: addressOf('feed', id),
    normalizedIncome: RAY,
    normalizedDebt: RAY,
    liquidityRate: (rateBps * RAY) / 20_000n,
    variableBorrowRate: (rateBps * RAY) / 10_000n,
  };
}
