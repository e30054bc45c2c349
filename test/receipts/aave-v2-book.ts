import { type AaveV2Market, deployAaveV2 } from '../../libs/protocols/test/aave-v2';
import {
  type Call,
  type LocalChain,
  amountsFrom,
  standIns,
  testWallets,
} from '../../libs/protocols/test/local-chain';
import type { Book } from './made-receipts';

const WETH = 0;
const VARIABLE_RATE = 2n;
const MONTH = 30 * 86_400;
const WALLETS = 24;
/** Prices in wei of ether. WISE is no collateral. */
const LISTINGS = [
  { symbol: 'WETH', decimals: 18, priceWei: 10n ** 18n, ltv: 8_000, threshold: 8_250 },
  { symbol: 'WBTC', decimals: 8, priceWei: 36n * 10n ** 18n, ltv: 7_000, threshold: 7_500 },
  { symbol: 'USDC', decimals: 6, priceWei: 397_654_321_012_345n, ltv: 8_000, threshold: 8_550 },
  { symbol: 'WISE', decimals: 18, priceWei: 4_912_345_678_901n, ltv: 0, threshold: 0 },
];

/** Genuine Aave v2 with wallets that supply two assets and owe a third, after a month of interest. */
export async function openAaveV2Book(chain: LocalChain): Promise<Book> {
  const market = await deployAaveV2(chain, LISTINGS, WETH);
  const { pool, addressesProvider, assets } = market;
  const { below, random } = amountsFrom(33);
  const wallets = testWallets(WALLETS);
  const call = (name: string, args: readonly unknown[], from?: `0x${string}`): Call =>
    market.call('LendingPool', pool, name, args, from);
  const deposit = (id: number, amount: bigint, wallet = chain.operator): Call =>
    call('deposit', [assets[id]!.token, amount, wallet, 0]);
  const unitOf = (id: number): bigint => 10n ** BigInt(LISTINGS[id]!.decimals);
  const [supplies, borrows]: [Call[], Call[]] = [
    LISTINGS.map((_, id) => deposit(id, unitOf(id) * 10n ** 9n)),
    [],
  ];
  for (const wallet of wallets) {
    const [secured, other, owed] = [0, 1, 2].map(() => Math.floor(random() * LISTINGS.length)) as [
      number,
      number,
      number,
    ];
    const amount = unitOf(secured) * 100n + below(unitOf(secured) * 100n);
    supplies.push(deposit(secured, amount, wallet), deposit(other, 1n + below(unitOf(other)), wallet));
    const limit = ((amount * LISTINGS[secured]!.priceWei) / unitOf(secured)) * BigInt(LISTINGS[secured]!.ltv);
    const debt = (below((limit * 9n) / 100_000n) * unitOf(owed)) / LISTINGS[owed]!.priceWei;
    if (debt > 0n)
      borrows.push(call('borrow', [assets[owed]!.token, debt, VARIABLE_RATE, 0, wallet], wallet));
  }
  await fillTokens(chain, market);
  // In phases, because the node may mine calls of different senders in any order.
  for (const phase of [supplies, borrows]) await chain.send(phase);
  await chain.passTime(MONTH);
  const contracts = { addressesProvider };
  return { row: { protocol: 'aave-v2', family: 'aave-v2', chainId: 1, market: 'Test', contracts }, wallets };
}

/** The pool takes what it lends from the balances of its tokens, which Token does not track. */
async function fillTokens(chain: LocalChain, market: AaveV2Market): Promise<void> {
  const reads = market.assets.map(({ token }) =>
    market.call('LendingPool', market.pool, 'getReserveData', [token]),
  );
  const reserves = (await chain.readMany(reads, await chain.head())) as { aTokenAddress: `0x${string}` }[];
  const { abi } = standIns()['Token']!;
  await chain.send(
    reserves.map(({ aTokenAddress }, id) => {
      const amount = 10n ** BigInt(LISTINGS[id]!.decimals + 9);
      return { to: market.assets[id]!.token, abi, name: 'hold', args: [aTokenAddress, amount] };
    }),
  );
}
