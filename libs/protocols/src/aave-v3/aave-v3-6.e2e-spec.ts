import type { BlockRef } from '@plimsoll/evm';
import { maxUint256, type Address } from 'viem';
import { expectRatios } from '../../test/expect-ratios';
import { configure, deployAaveV36, type AaveV36Market } from '../../test/aave-v3-6';
import {
  amountsFrom,
  standIns,
  startLocalChain,
  testWallets,
  type Call,
  type LocalChain,
} from '../../test/local-chain';
import { FamilyReader } from '../reader/family-reader';
import { aaveV3 } from './reader';

const WALLETS = testWallets(220);
const STABLES = 1;
/** PTUSD is collateral in the e-mode of the stablecoins only: its own threshold is 0. */
const LISTINGS = [
  { symbol: 'WETH', decimals: 18, price: 2_513_770_000_00n, ltv: 8_000, threshold: 8_300 },
  { symbol: 'WBTC', decimals: 8, price: 91_234_560_000_00n, ltv: 7_300, threshold: 7_800 },
  { symbol: 'USDC', decimals: 6, price: 99_981_234n, ltv: 7_500, threshold: 7_800 },
  { symbol: 'DAI', decimals: 18, price: 100_013_579n, ltv: 6_300, threshold: 7_700 },
  { symbol: 'PTUSD', decimals: 18, price: 97_531_246n, ltv: 0, threshold: 0 },
];
const STABLE_IDS = [2, 3, 4];

let chain: LocalChain;
let market: AaveV36Market;
let reader: ReturnType<typeof makeReader>;

function makeReader() {
  const { pool, addressesProvider } = market;
  const row = {
    protocol: 'aave-v3',
    family: 'aave-v3',
    chainId: 1,
    market: 'Test',
    contracts: { pool, addressesProvider },
  };
  return new FamilyReader(aaveV3, row, { client: chain.client, multicall: chain.multicall });
}

const poolCall = (name: string, args: readonly unknown[], from?: Address): Call => ({
  to: market.pool,
  abi: market.poolAbi,
  name,
  args,
  gas: 900_000n,
  ...(from && { from }),
});
const tokenOf = (id: number): Address => market.assets[id]!.token;

function openEMode(): Call[] {
  return [
    configure(market, 'setEModeCategory', [STABLES, 9_300, 9_500, 10_100, 'Stablecoins']),
    ...STABLE_IDS.map((id) => configure(market, 'setAssetCollateralInEMode', [tokenOf(id), STABLES, true])),
    ...STABLE_IDS.map((id) => configure(market, 'setAssetBorrowableInEMode', [tokenOf(id), STABLES, true])),
  ];
}

/**
 * Every wallet supplies one to three assets and owes up to two. A third of the wallets are in e-mode, and
 * some disable a supply as collateral.
 */
async function openPositions(): Promise<void> {
  const { below, chance, amount, random } = amountsFrom(36);
  const [eModes, unused, borrows]: [Call[], Call[], Call[]] = [[], [], []];
  const supplies: Call[] = LISTINGS.map(({ decimals }, id) =>
    poolCall('supply', [tokenOf(id), 10n ** BigInt(decimals + 16), chain.operator, 0]),
  );
  for (const wallet of WALLETS) {
    const inEMode = chance(0.35);
    const pick = (ids: readonly number[]): number => ids[Math.floor(random() * ids.length)]!;
    const supplied = new Set([pick(inEMode ? STABLE_IDS : [0, 1, 2, 3]), pick([0, 1, 2, 3, 4])]);
    let limit = 0n;
    if (inEMode) eModes.push(poolCall('setUserEMode', [STABLES], wallet));
    for (const id of supplied) {
      const { decimals, price, ltv } = LISTINGS[id]!;
      const quantity = amount(decimals);
      supplies.push(poolCall('supply', [tokenOf(id), quantity, wallet, 0]));
      const isUsed = !chance(0.2);
      const isCollateral = ltv > 0 || (inEMode && STABLE_IDS.includes(id));
      if (!isCollateral) continue;
      if (!isUsed) unused.push(poolCall('setUserUseReserveAsCollateral', [tokenOf(id), false], wallet));
      const ltvBps = inEMode && STABLE_IDS.includes(id) ? 9_300n : BigInt(ltv);
      if (isUsed) limit += (((quantity * price) / 10n ** BigInt(decimals)) * ltvBps) / 10_000n;
    }
    for (const id of new Set([pick(inEMode ? STABLE_IDS : [0, 1, 2, 3]), pick(STABLE_IDS)])) {
      const { decimals, price } = LISTINGS[id]!;
      const debt = (below((limit * 45n) / 100n) * 10n ** BigInt(decimals)) / price;
      if (debt > 1n) borrows.push(poolCall('borrow', [tokenOf(id), debt, 2n, 0, wallet], wallet));
    }
  }
  // In phases, because the node may mine calls of different senders in any order.
  for (const phase of [eModes, supplies, unused, borrows]) await chain.send(phase);
}

/** The contract's own figures of every wallet at a block, read directly. */
async function contractFigures(block: BlockRef) {
  const results = await chain.readMany(
    WALLETS.map((wallet) => ({
      to: market.pool,
      abi: market.poolAbi,
      name: 'getUserAccountData',
      args: [wallet],
    })),
    block,
  );
  return (results as bigint[][]).map(([collateral, debt, , , , healthFactor], index) => ({
    wallet: WALLETS[index],
    collateral,
    debt,
    healthFactor: healthFactor === maxUint256 ? null : healthFactor,
  }));
}

/** Our figures of every wallet at a block, computed without the contract's own figures. */
async function computedFigures(block: BlockRef) {
  const { accounts, unreadable } = await reader.readAccounts(WALLETS, block);
  expect(unreadable).toEqual([]);
  const state = await reader.readMarket(block);
  return WALLETS.map((wallet) => {
    const [position] = reader.evaluate(state, accounts.get(wallet)!) ?? [];
    expect(position?.verification).toBe('recomputed');
    return {
      wallet,
      collateral: position!.totalCollateralRaw,
      debt: position!.totalDebtRaw,
      healthFactor: position!.healthFactorRaw,
    };
  });
}

beforeAll(async () => {
  chain = await startLocalChain();
  market = await deployAaveV36(chain, LISTINGS);
  await chain.send(openEMode());
  await openPositions();
  reader = makeReader();
}, 180_000);
afterAll(() => chain?.node.dispose());

describe('aave-v3 at pool revision 10 (v3.6)', () => {
  it.each([0, 37, 40 * 86_400, 400 * 86_400])(
    'over 200 positions totals and health factor equal getUserAccountData, %d seconds later',
    async (seconds) => {
      await chain.passTime(seconds);
      const block = await chain.head();
      const figures = await contractFigures(block);
      expect(figures.filter(({ healthFactor }) => healthFactor !== null).length).toBeGreaterThan(150);
      expect(await computedFigures(block)).toEqual(figures);
    },
    30_000,
  );

  it('the inputs of its evaluations give its health factors later too', async () => {
    const pass = (): Promise<unknown> => chain.passTime(40 * 86_400);
    expect(await expectRatios(reader, WALLETS, () => chain.head(), pass)).toBeGreaterThan(50);
  });

  it('and after prices moved, with positions that may be liquidated', async () => {
    const { PriceFeed } = standIns();
    const move = (id: number, result: bigint): Call => ({
      to: market.assets[id]!.feed,
      abi: PriceFeed!.abi,
      name: 'setAnswer',
      args: [result],
    });
    await chain.send([move(0, 1_801_123_456_78n), move(2, 101_234_567n), move(4, 88_888_888n)]);
    const block = await chain.head();
    const figures = await contractFigures(block);
    expect(figures.some(({ healthFactor }) => healthFactor !== null && healthFactor! < 10n ** 18n)).toBe(
      true,
    );
    expect(await computedFigures(block)).toEqual(figures);
  });

  it('entering an e-mode gives the predicted health factor, and no other e-mode may be entered', async () => {
    const { positions } = await reader.readPositions(WALLETS, await chain.head());
    const owing = positions.filter(({ healthFactorRaw }) => healthFactorRaw !== null);
    const outcome = { entered: 0, refused: 0, notBetter: 0 };
    for (const { wallet, healthFactorRaw, eModes = [] } of owing) {
      const snapshot = await chain.client.request('evm_snapshot', []);
      const enter = chain.send([poolCall('setUserEMode', [STABLES], wallet)]);
      const isIn = await enter.then(
        () => true,
        () => false,
      );
      const [figures] = await chain.readMany(
        [{ to: market.pool, abi: market.poolAbi, name: 'getUserAccountData', args: [wallet] }],
        await chain.head(),
      );
      const after = (figures as bigint[])[5]!;
      await chain.client.request('evm_revert', [snapshot]);
      const [predicted] = eModes;
      if (predicted) {
        expect({ wallet, isIn }).toEqual({ wallet, isIn: true });
        expect(Math.abs(Number(after) / Number(predicted.healthFactorRaw) - 1)).toBeLessThan(1e-6);
        outcome.entered += 1;
      } else if (isIn) {
        // The wallet is in this e-mode already, or the e-mode is no better. A second adds interest.
        expect(Number(after)).toBeLessThan(Number(healthFactorRaw) * (1 + 1e-6));
        outcome.notBetter += 1;
      } else outcome.refused += 1;
    }
    expect(outcome.entered).toBeGreaterThan(5);
    expect(outcome.refused).toBeGreaterThan(5);
  }, 120_000);

  it('an asset with a threshold only in its e-mode counts there, and a disabled supply never counts', async () => {
    const { positions, mismatches, unreadable } = await reader.readPositions(WALLETS, await chain.head());
    expect({ mismatches, unreadable }).toEqual({ mismatches: [], unreadable: [] });
    const legs = positions.flatMap((position) => position.legs);
    const thresholds = legs
      .filter(
        ({ symbol, side, usedAsCollateral }) =>
          symbol === 'PTUSD' && side === 'collateral' && usedAsCollateral,
      )
      .map(({ liquidationThresholdBps }) => liquidationThresholdBps);
    expect(new Set(thresholds)).toEqual(new Set([9_500n]));
    expect(legs.some(({ side, usedAsCollateral }) => side === 'collateral' && !usedAsCollateral)).toBe(true);
  });
});
