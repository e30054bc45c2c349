import type { Market, ReadWords } from '../receipt-math';
import { type ReadStorage, type StoredCall, bitsOf, slotsFrom } from '../storage-math';

/**
 * Slots as solc states them. Sources: PoolStorage, VersionedInitializable, IncentivizedERC20, DebtTokenBase,
 * StableDebtToken, AaveOracle and PoolAddressesProvider of `@aave/core-v3` 1.19.3 and `@aave-dao/aave-v3-origin` 3.6.0.
 */
const PROVIDER_ADDRESSES = 2n;
const ORACLE_SOURCES = 0n;
const REVISION = 0n;
const RESERVES = 52n;
const USER_CONFIGURATIONS = 53n;
const RESERVES_LIST = 54n;
const E_MODES = 55n;
const E_MODES_OF_USERS = 56n;
const RESERVES_COUNT = 59n;
const A_TOKEN_USERS = 52n;
const DEBT_TOKEN_USERS = 56n;
const STABLE_TIMES = 62n;
const STABLE_TOTALS = 63n;
/** `POOL`, `PRICE_ORACLE` and `MOCK_STABLE_DEBT` as bytes32. */
const POOL_KEY = 0x504f4f4cn << 224n;
const ORACLE_KEY = 0x50524943455f4f5241434c45n << 160n;
const STABLE_DEBT_KEY = 0x4d4f434b5f535441424c455f44454254n << 128n;
const HALF = 128;
/** The bits above belong to delegation in newer tokens. No balance of a token needs them. */
const BALANCE_BITS = 120;
/** Revisions 1 to 3 are Aave 3.0. */
const LAST_OF_3_0 = 3n;
const V3_6 = 10n;

interface Wallet {
  wallet: bigint;
  storage: ReadStorage;
  /** Aave 3.0 has stable debts, and e-modes with prices of their own. */
  is30: boolean;
  /** The token that Aave 3.6 states for the stable debts of every reserve. */
  noStableDebt: bigint;
}

/** Everything that provider, pool, oracle and tokens store of a wallet and of the reserves. */
export async function aaveV3Storage(
  { contracts, wallet }: Market,
  storage: ReadStorage,
  read: ReadWords,
): Promise<StoredCall[]> {
  const provider =
    contracts['addressesProvider'] ?? read(contracts['protocolDataProvider']!, '0x0542975c')[0]!;
  const contractsOf = await storage.words(
    provider,
    [POOL_KEY, ORACLE_KEY, STABLE_DEBT_KEY].map((key) => storage.slotOf(PROVIDER_ADDRESSES, key)),
  );
  const [pool = 0n, oracle = 0n, noStableDebt = 0n] = contractsOf.map(addressOf);
  const [revision = 0n, counts = 0n, configuration = 0n, eModeWord = 0n] = await storage.words(pool, [
    REVISION,
    RESERVES_COUNT,
    storage.slotOf(USER_CONFIGURATIONS, wallet),
    storage.slotOf(E_MODES_OF_USERS, wallet),
  ]);
  const is30 = revision <= LAST_OF_3_0;
  if (!is30 && revision !== V3_6) return [];
  const owner = { wallet, storage, is30, noStableDebt };
  const eMode = bitsOf(eModeWord, 0, 8);
  const count = Number(bitsOf(counts, 64, 16));
  const ids = Array.from({ length: count }, (_, id) => storage.slotOf(RESERVES_LIST, BigInt(id)));
  const reserves = (await storage.words(pool, ids)).map(addressOf).filter((asset) => asset !== 0n);
  return [
    { to: provider, selector: '0x026b1d5f', args: [], words: [pool] },
    { to: provider, selector: '0xfca513a8', args: [], words: [oracle] },
    { to: pool, selector: '0x0148170e', args: [], words: [revision] },
    { to: pool, selector: '0x4417a583', args: [wallet], words: [configuration] },
    { to: pool, selector: '0xeddf1b79', args: [wallet], words: [eMode] },
    { to: pool, selector: '0xd1946dbc', args: [], words: [32n, BigInt(reserves.length), ...reserves] },
    ...(eMode === 0n ? [] : await eModeCalls(pool, eMode, owner)),
    ...(await reserveCalls(pool, reserves, owner)),
    ...(await sourceCalls(oracle, reserves, storage)),
  ];
}

async function eModeCalls(pool: bigint, id: bigint, { storage, is30 }: Wallet): Promise<StoredCall[]> {
  const [word = 0n] = await storage.words(pool, [storage.slotOf(E_MODES, id)]);
  const parameters = [0, 16, 32].map((from) => bitsOf(word, from, 16));
  const source = is30 ? bitsOf(word, 48, 160) : 0n;
  const category = { to: pool, selector: '0x6c6f6ae1', args: [id], words: [32n, ...parameters, source] };
  const bitmap = { to: pool, selector: '0xb0771dba', args: [id], words: [bitsOf(word, 48, HALF)] };
  return is30 ? [category] : [category, bitmap];
}

async function reserveCalls(pool: bigint, reserves: readonly bigint[], owner: Wallet): Promise<StoredCall[]> {
  const size = 7;
  const slots = reserves.flatMap((asset) => slotsFrom(owner.storage.slotOf(RESERVES, asset), size));
  const words = await owner.storage.words(pool, slots);
  const calls: StoredCall[] = [];
  for (const [index, asset] of reserves.entries()) {
    const [configuration = 0n, supply = 0n, borrow = 0n, stableRateAndUpdate = 0n, ...tokens] = words.slice(
      index * size,
      (index + 1) * size,
    );
    const [aToken = 0n, stableToken = 0n, debtToken = 0n] = tokens.map(addressOf);
    calls.push({
      to: pool,
      selector: '0x35ea6a75',
      args: [asset],
      words: [
        configuration,
        bitsOf(supply, 0, HALF),
        bitsOf(supply, HALF, HALF),
        bitsOf(borrow, 0, HALF),
        bitsOf(borrow, HALF, HALF),
        owner.is30 ? bitsOf(stableRateAndUpdate, 0, HALF) : 0n,
        bitsOf(stableRateAndUpdate, HALF, 40),
        bitsOf(stableRateAndUpdate, 168, 16),
        aToken,
        owner.is30 ? stableToken : owner.noStableDebt,
        debtToken,
      ],
    });
    calls.push(await scaledBalance(aToken, A_TOKEN_USERS, owner));
    calls.push(await scaledBalance(debtToken, DEBT_TOKEN_USERS, owner));
    if (owner.is30 && stableToken !== 0n) calls.push(...(await stableDebt(stableToken, owner)));
  }
  return calls;
}

async function scaledBalance(token: bigint, users: bigint, { wallet, storage }: Wallet): Promise<StoredCall> {
  const [word = 0n] = await storage.words(token, [storage.slotOf(users, wallet)]);
  return { to: token, selector: '0x1da24f3e', args: [wallet], words: [bitsOf(word, 0, BALANCE_BITS)] };
}

async function stableDebt(to: bigint, { wallet, storage }: Wallet): Promise<StoredCall[]> {
  const [user = 0n, time = 0n, totals = 0n] = await storage.words(to, [
    storage.slotOf(DEBT_TOKEN_USERS, wallet),
    storage.slotOf(STABLE_TIMES, wallet),
    STABLE_TOTALS,
  ]);
  return [
    { to, selector: '0xc634dfaa', args: [wallet], words: [bitsOf(user, 0, HALF)] },
    { to, selector: '0xe78c9b3b', args: [wallet], words: [bitsOf(user, HALF, HALF)] },
    { to, selector: '0x79ce6b8c', args: [wallet], words: [bitsOf(time, 0, 40)] },
    // The contract computes the first word: the debt of all wallets with its interest.
    { to, selector: '0xf731e9be', args: [], words: [null, bitsOf(totals, 0, HALF)] },
  ];
}

async function sourceCalls(
  oracle: bigint,
  reserves: readonly bigint[],
  storage: ReadStorage,
): Promise<StoredCall[]> {
  const slots = reserves.map((asset) => storage.slotOf(ORACLE_SOURCES, asset));
  const sources = (await storage.words(oracle, slots)).map(addressOf);
  return reserves.map((asset, index) => {
    return { to: oracle, selector: '0x92bf2be0', args: [asset], words: [sources[index]!] };
  });
}

function addressOf(word: bigint): bigint {
  return bitsOf(word, 0, 160);
}
