/** The holdings of one seeded wallet. Ratios are of the position's own collateral or debt value. */
export interface SeedPlan {
  /** The purpose of the wallet, for logs and tests. */
  label: string;
  /** Value of everything supplied, in US dollars. */
  suppliedUsd: number;
  supplies: readonly { symbol: string; share: number; asCollateral: boolean }[];
  borrows: readonly { symbol: string; share: number; rate: 'variable' | 'stable' }[];
  /** Health factor at the seeded prices. Null: nothing borrowed. */
  healthFactor: number | null;
  eMode: boolean;
}

type Shares = Readonly<Record<string, number>>;

const collateral = (shares: Shares) =>
  Object.entries(shares).map(([symbol, share]) => ({ symbol, share, asCollateral: true }));
const debt = (shares: Shares) =>
  Object.entries(shares).map(([symbol, share]) => ({ symbol, share, rate: 'variable' as const }));

/** Health factors of the ordinary borrowers, from near liquidation to far away. */
const LADDER = [
  1.004, 1.008, 1.012, 1.018, 1.025, 1.032, 1.04, 1.05, 1.06, 1.075, 1.09, 1.1, 1.12, 1.14, 1.17, 1.2, 1.23,
  1.25, 1.28, 1.32, 1.36, 1.4, 1.45, 1.5, 1.56, 1.63, 1.7, 1.8, 1.9, 2, 2.15, 2.3, 2.5, 2.75, 3, 3.6, 4.5, 6,
  8, 12, 30, 120,
];

/** Pairs of the ladder in turn: volatile collateral against stable debt, so a fall of prices is a risk. */
const PAIRS: readonly { supplies: Shares; borrows: Shares }[] = [
  { supplies: { WETH: 1 }, borrows: { USDC: 1 } },
  { supplies: { WBTC: 1 }, borrows: { DAI: 1 } },
  { supplies: { WETH: 0.6, WBTC: 0.4 }, borrows: { USDC: 0.7, DAI: 0.3 } },
  { supplies: { LINK: 1 }, borrows: { USDC: 1 } },
  { supplies: { WETH: 0.75, LINK: 0.25 }, borrows: { DAI: 1 } },
  { supplies: { WETH: 1 }, borrows: { USDT: 0.5, DAI: 0.5 } },
  { supplies: { WBTC: 0.5, USDC: 0.5 }, borrows: { DAI: 1 } },
];

const SIZES_USD = [4_200, 18_500, 61_000, 250_000, 1_350_000, 9_800, 126_000];

const borrower = (healthFactor: number, index: number): SeedPlan => {
  const pair = PAIRS[index % PAIRS.length]!;
  const suppliedUsd = SIZES_USD[(index * 3) % SIZES_USD.length]!;
  const plan = { supplies: collateral(pair.supplies), borrows: debt(pair.borrows), eMode: false };
  return { label: `borrower at ${healthFactor}`, suppliedUsd, healthFactor, ...plan };
};

const eMode = (healthFactor: number, supplies: Shares, borrows: Shares): SeedPlan => ({
  label: `e-mode at ${healthFactor}`,
  suppliedUsd: 80_000,
  supplies: collateral(supplies),
  borrows: debt(borrows),
  healthFactor,
  eMode: true,
});

const holder = (label: string, suppliedUsd: number, supplies: Shares): SeedPlan => ({
  label,
  suppliedUsd,
  supplies: collateral(supplies),
  borrows: [],
  healthFactor: null,
  eMode: false,
});

/** Positions that differ from the ladder in kind: every branch of the protocol's arithmetic has a wallet. */
const SPECIAL: readonly SeedPlan[] = [
  eMode(1.01, { USDC: 1 }, { DAI: 1 }),
  eMode(1.03, { DAI: 1 }, { USDC: 1 }),
  eMode(1.12, { USDC: 0.8, WETH: 0.2 }, { DAI: 1 }),
  eMode(1.4, { USDC: 0.5, DAI: 0.5 }, { USDC: 1 }),
  {
    ...borrower(1.16, 0),
    label: 'stable rate debt',
    suppliedUsd: 40_000,
    borrows: [{ symbol: 'USDC', share: 1, rate: 'stable' }],
  },
  {
    ...borrower(1.55, 0),
    label: 'both kinds of debt',
    suppliedUsd: 90_000,
    borrows: [
      { symbol: 'USDC', share: 0.6, rate: 'variable' },
      { symbol: 'DAI', share: 0.4, rate: 'stable' },
    ],
  },
  {
    ...borrower(1.22, 0),
    label: 'supplied but not collateral',
    suppliedUsd: 70_000,
    supplies: [
      { symbol: 'WETH', share: 0.7, asCollateral: true },
      { symbol: 'USDC', share: 0.3, asCollateral: false },
    ],
  },
  {
    ...borrower(1.5, 0),
    label: 'an asset that cannot be collateral',
    suppliedUsd: 30_000,
    supplies: [
      { symbol: 'WETH', share: 0.6, asCollateral: true },
      { symbol: 'USDT', share: 0.4, asCollateral: false },
    ],
  },
  {
    ...holder('only an asset that cannot be collateral', 5_000, {}),
    supplies: [{ symbol: 'USDT', share: 1, asCollateral: false }],
  },
  {
    ...borrower(1.6, 0),
    label: 'short of WETH',
    suppliedUsd: 55_000,
    supplies: collateral({ USDC: 1 }),
    borrows: debt({ WETH: 1 }),
  },
  {
    ...borrower(1.9, 0),
    label: 'short of WBTC and LINK',
    suppliedUsd: 210_000,
    supplies: collateral({ DAI: 1 }),
    borrows: debt({ WBTC: 0.6, LINK: 0.4 }),
  },
  {
    ...borrower(1.3, 0),
    label: 'volatile against volatile',
    suppliedUsd: 340_000,
    supplies: collateral({ WBTC: 1 }),
    borrows: debt({ WETH: 1 }),
  },
  { ...borrower(1.35, 2), label: 'huge', suppliedUsd: 220_000_000 },
  { ...borrower(2.05, 0), label: 'huge in one asset', suppliedUsd: 640_000_000 },
  { ...borrower(1.11, 0), label: 'dust', suppliedUsd: 0.02 },
  { ...borrower(1.42, 1), label: 'small change', suppliedUsd: 3 },
  holder('only collateral', 12_000, { WETH: 1 }),
  holder('only collateral, three assets', 480_000, { WETH: 0.5, WBTC: 0.3, USDC: 0.2 }),
  holder('only collateral, stable', 25_000, { DAI: 1 }),
];

/** All seeded positions, in the order of the demo wallets. */
export const SEED_PLANS: readonly SeedPlan[] = [...LADDER.map(borrower), ...SPECIAL];
