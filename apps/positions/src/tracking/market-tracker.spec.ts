import type { PositionsRead, RawLeg, RawPosition } from '@plimsoll/protocols';
import type { CovarianceFigures } from '@plimsoll/risk-math';
import fc from 'fast-check';
import type { Address } from 'viem';
import { FollowedMarket, NO_RISK } from '../../test/follow-market';
import {
  GeneratedMarket,
  type GeneratedBalance,
  type GeneratedReserve,
  walletOf,
} from '../../test/generated-market';
import { BAND_TURNS } from '../bands/band';
import { correlatedProbability, movesTogether } from '../bands/correlated-probability';

const RESERVES: GeneratedReserve[] = [
  { symbol: 'WETH', decimals: 18, price: 2_513_77000000n, thresholdBps: 8_300n, rateBps: 250n },
  { symbol: 'WBTC', decimals: 8, price: 91_234_56000000n, thresholdBps: 7_800n, rateBps: 80n },
  { symbol: 'wstETH', decimals: 18, price: 3_012_11000000n, thresholdBps: 8_100n, rateBps: 30n },
  { symbol: 'USDC', decimals: 6, price: 99_981_234n, thresholdBps: 7_800n, rateBps: 600n },
  { symbol: 'LINK', decimals: 18, price: 14_12345678n, thresholdBps: 0n, rateBps: 400n },
];
const WALLETS = Array.from({ length: 8 }, (_, id) => walletOf(id));
const DAILY = [
  [0.0012, 0.0012, 0],
  [0.0012, 0.00125, 0],
  [0, 0, 0.000001],
];
const COVARIANCE: CovarianceFigures = {
  assets: ['ETH', 'WSTETH', 'USDC'],
  today: DAILY,
  longRun: DAILY,
  persistence: 0.98,
};

/** Amounts from dust to a whale's holdings, worth about the given dollars. */
const inUnits = (reserve: number, cents: bigint): bigint => {
  const { price, decimals } = RESERVES[reserve]!;
  return (cents * 10n ** BigInt(decimals) * 1_000_000n) / price;
};
const reserve = fc.nat(RESERVES.length - 1);
const cents = fc.oneof(fc.bigInt(1n, 1_000n), fc.bigInt(1_000n, 10n ** 7n), fc.bigInt(10n ** 9n, 10n ** 13n));
const holding = fc
  .record({ supplies: fc.uniqueArray(reserve, { maxLength: 3 }), owed: reserve, cents, percent: fc.nat(85) })
  .map(({ supplies, owed, cents: supplied, percent }): GeneratedBalance[] => {
    const balances = new Map<number, GeneratedBalance>();
    for (const id of supplies) balances.set(id, { reserve: id, supply: inUnits(id, supplied), debt: 0n });
    const debt = (inUnits(owed, supplied * BigInt(supplies.length)) * BigInt(percent)) / 100n;
    const before = balances.get(owed) ?? { reserve: owed, supply: 0n, debt: 0n };
    if (debt > 0n) balances.set(owed, { ...before, debt });
    return [...balances.values()];
  });

/**
 * Parts of 10⁹ by which a price moves: some below the book's resolution, some around a basis point, some a
 * crash.
 */
const move = fc.oneof(
  fc.integer({ min: -300, max: 300 }),
  fc.integer({ min: -150_000, max: 150_000 }),
  fc.integer({ min: -20_000_000, max: 20_000_000 }),
  fc.integer({ min: -960_000_000, max: 900_000_000 }),
);
type Step = (scene: Scene) => void;

/**
 * Moves the price of a wallet's first collateral so that its health factor comes within a few parts of 10⁹ of
 * a value at which an event becomes due: a basis point from the last published one, or the nearest edge of a
 * band.
 */
function nudge(scene: Scene, wallet: Address, goal: 'up' | 'down' | 'edge', parts: number): void {
  const { tracker } = scene.trackers[1]!;
  const [position] = tracker.figures?.of(wallet) ?? [];
  const published = tracker.publishedOf(wallet, '')?.event.healthFactor;
  const leg = position?.legs.find(({ usedAsCollateral }) => usedAsCollateral);
  if (!position?.healthFactorRaw || !published || !leg) return;
  const current = Number(position.healthFactorRaw) / 1e18;
  const edges = BAND_TURNS.map((turn) => Number(turn) / 1e18);
  const nearest = edges.reduce((best, edge) =>
    Math.abs(edge - current) < Math.abs(best - current) ? edge : best,
  );
  const aim = { up: published * 1.0001, down: published * 0.9999, edge: nearest }[goal] * (1 + parts / 1e9);
  const weightedValue = ({ amountRaw, priceRaw, decimals, liquidationThresholdBps }: RawLeg): number =>
    (Number(amountRaw) / 10 ** decimals) * Number(priceRaw) * Number(liquidationThresholdBps);
  const all = position.legs
    .filter((each) => each.usedAsCollateral)
    .reduce((sum, each) => sum + weightedValue(each), 0);
  const factor = 1 + ((aim / current - 1) * all) / weightedValue(leg);
  const id = RESERVES.findIndex(({ symbol }) => symbol === leg.symbol);
  const price = Math.round(Number(scene.market.priceOf(id)) * factor);
  if (price > 0 && Number.isFinite(price)) scene.market.setPrice(id, BigInt(price));
}

const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.tuple(reserve, move).map(([id, by]): Step => ({ market }) => {
      const price = (market.priceOf(id) * (1_000_000_000n + BigInt(by))) / 1_000_000_000n;
      market.setPrice(id, price > 0n ? price : 1n);
    }),
  },
  {
    weight: 8,
    arbitrary: fc
      .tuple(
        fc.nat(WALLETS.length - 1),
        fc.constantFrom('up' as const, 'down' as const, 'edge' as const),
        fc.integer({ min: -600, max: 600 }),
      )
      .map(
        ([id, goal, parts]): Step =>
          (scene) =>
            nudge(scene, WALLETS[id]!, goal, parts),
      ),
  },
  {
    weight: 2,
    arbitrary: fc.tuple(fc.nat(WALLETS.length - 1), holding).map(
      ([id, balances]): Step =>
        ({ market }) =>
          market.hold(WALLETS[id]!, balances),
    ),
  },
  {
    weight: 1,
    arbitrary: fc.tuple(fc.nat(3), fc.bigInt(7_000n, 8_500n)).map(
      ([id, bps]): Step =>
        ({ market }) =>
          market.setThreshold(id, bps),
    ),
  },
  {
    weight: 1,
    arbitrary: fc.subarray(WALLETS, { minLength: 1 }).map((wallets): Step => (scene) => {
      scene.tracked = wallets;
    }),
  },
  {
    weight: 1,
    arbitrary: fc.boolean().map((has): Step => (scene) => {
      scene.hasCovariance = has;
    }),
  },
  {
    weight: 1,
    arbitrary: fc.option(fc.nat(30)).map((orphanedFrom): Step => ({ trackers }) => {
      for (const { tracker } of trackers) tracker.readAll(orphanedFrom);
    }),
  },
  {
    weight: 1,
    arbitrary: fc.constant<Step>((scene) => {
      scene.isCommitted = false;
    }),
  },
);
const block = fc.record({
  steps: fc.array(step, { maxLength: 3 }),
  seconds: fc.oneof(fc.bigInt(1n, 12n), fc.bigInt(12n, 40_000n)),
});

/**
 * Two blocks, one second apart: in the first a health factor is just before the value at which an event is due,
 * in the second a very small price change takes it beyond.
 */
const crossing = fc
  .tuple(
    fc.nat(WALLETS.length - 1),
    fc.constantFrom('up' as const, 'down' as const),
    fc.nat(250),
    fc.nat(100),
  )
  .map(([id, goal, short, beyond]) => {
    const sign = goal === 'up' ? 1 : -1;
    return [-short * sign, beyond * sign].map((parts) => stepOf(id, goal, parts));
  });
const PAUSE = { steps: [], seconds: 1n };
/** Over the edge of a band, within a basis point. A block after an event evaluates its wallet anyway. */
const overEdge = fc
  .tuple(fc.nat(WALLETS.length - 1), fc.integer({ min: -45_000, max: 45_000 }))
  .map(([id, parts]) => [stepOf(id, 'edge', parts), PAUSE, stepOf(id, 'edge', -parts)]);
const stepOf = (id: number, goal: 'up' | 'down' | 'edge', parts: number) => ({
  steps: [(scene: Scene): void => nudge(scene, WALLETS[id]!, goal, parts)],
  seconds: 1n,
});
const blocksOf = fc
  .array(
    fc.oneof(
      block.map((one) => [one]),
      crossing,
      overEdge,
    ),
    { minLength: 4, maxLength: 20 },
  )
  .map((parts) => parts.flat());

interface Scene {
  market: GeneratedMarket;
  trackers: readonly FollowedMarket[];
  tracked: readonly Address[];
  hasCovariance: boolean;
  isCommitted: boolean;
}

/** The variants of a family: the first is under test, the second is the reference. */
const KINDS = ['ratios', 'nothing', 'opened'] as const;

function sceneOf(revision: bigint, holdings: readonly GeneratedBalance[][]): Scene {
  const market = new GeneratedMarket(RESERVES, revision);
  holdings.forEach((balances, id) => market.hold(WALLETS[id]!, balances));
  const scene: Scene = { market, trackers: [], tracked: WALLETS, hasCovariance: false, isCommitted: true };
  const risk = {
    probability7d: (position: Parameters<typeof movesTogether>[0]) =>
      scene.hasCovariance ? correlatedProbability(position, COVARIANCE) : null,
    concerns: movesTogether,
  };
  scene.trackers = KINDS.map((kind) => new FollowedMarket(market.reader(kind), risk));
  return scene;
}

describe('MarketTracker', () => {
  it.each([
    ['v3.6', 10n],
    ['v3.0, which truncates the average threshold', 1n],
  ])(
    'publishes the same whether it evaluates only the wallets that book and logs name or all of them: Aave %s',
    async (_name, revision) => {
      let events = 0;
      const evaluated = [0, 0, 0];
      await fc.assert(
        fc.asyncProperty(
          fc.array(holding, { minLength: WALLETS.length, maxLength: WALLETS.length }),
          blocksOf,
          async (holdings, blocks) => {
            const scene = sceneOf(revision, holdings);
            const [byBook, byAll, byOpening] = scene.trackers as [
              FollowedMarket,
              FollowedMarket,
              FollowedMarket,
            ];
            for (const { steps, seconds } of blocks) {
              scene.isCommitted = true;
              for (const apply of steps) apply(scene);
              const head = scene.market.mine(seconds);
              const { tracked, isCommitted } = scene;
              const published = await byAll.advance(head, tracked, isCommitted);
              expect(await byBook.advance(head, tracked, isCommitted)).toEqual(published);
              expect(await byOpening.advance(head, tracked, isCommitted)).toEqual(published);
              events += published.length;
            }
            scene.trackers.forEach((tracker, at) => (evaluated[at]! += tracker.evaluated));
            // A wallet that left the list in a failed block may still have figures, or none.
            if (!scene.isCommitted) return;
            const all = byAll.tracker.figures?.all();
            expect(byBook.tracker.figures?.all()).toEqual(all);
            expect(byOpening.tracker.figures?.all()).toEqual(all);
          },
        ),
        { numRuns: 150, seed: 11 },
      );
      expect(events).toBeGreaterThan(1_000);
      const [ofBook, ofAll, ofOpening] = evaluated as [number, number, number];
      expect(ofBook).toBeLessThan(ofAll);
      expect(ofOpening).toBeLessThanOrEqual(ofAll);
    },
    240_000,
  );

  it('evaluates no wallet after a price change of half a basis point, and the holders of the asset after one percent', async () => {
    const market = new GeneratedMarket(RESERVES, 10n);
    const [weth, wbtc, usdc] = [0, 1, 3];
    WALLETS.forEach((wallet, id) => {
      const secured = { reserve: id % 2 === 0 ? weth : wbtc, debt: 0n };
      market.hold(wallet, [
        { ...secured, supply: inUnits(secured.reserve, 10_000_000n) },
        { reserve: usdc, supply: 0n, debt: inUnits(usdc, 5_000_000n) },
      ]);
    });
    const followed = new FollowedMarket(market.reader());
    const next = async (): Promise<{ evaluated: number; wallets: string[] }> => {
      const before = followed.evaluated;
      const published = await followed.advance(market.mine(1n), WALLETS);
      return { evaluated: followed.evaluated - before, wallets: published.map(({ key }) => key.wallet) };
    };
    await next();
    // The changes that were just published are evaluated once more.
    await next();
    expect(await next()).toEqual({ evaluated: 0, wallets: [] });
    market.setPrice(weth, (RESERVES[weth]!.price * 100_005n) / 100_000n);
    expect(await next()).toEqual({ evaluated: 0, wallets: [] });
    market.setPrice(weth, (RESERVES[weth]!.price * 101n) / 100n);
    const { evaluated, wallets: published } = await next();
    expect(evaluated).toBe(WALLETS.length / 2);
    expect(new Set(published)).toEqual(new Set(WALLETS.filter((_, id) => id % 2 === 0)));
  });

  it('throws when the figures of a block cannot be confirmed, and publishes them when it is read again', async () => {
    const market = new GeneratedMarket(RESERVES, 10n);
    const wallet = WALLETS[0]!;
    market.hold(wallet, [
      { reserve: 0, supply: inUnits(0, 10_000_000n), debt: 0n },
      { reserve: 3, supply: 0n, debt: inUnits(3, 7_000_000n) },
    ]);
    const reader = market.reader();
    let isFailing = false;
    const { chainId, protocol, market: name } = reader.row;
    const failed = { chainId, protocol, market: name, reason: 'rpc_unavailable' as const, wallets: [] };
    const followed = new FollowedMarket({
      ...reader,
      confirm: (positions, block) =>
        isFailing
          ? Promise.resolve({ positions: [], unreadable: [failed], mismatches: [] })
          : reader.confirm(positions, block),
    });
    await followed.advance(market.mine(1n), [wallet]);
    market.setPrice(0, (RESERVES[0]!.price * 80n) / 100n);
    const fall = market.mine(1n);
    isFailing = true;
    await expect(followed.advance(fall, [wallet])).rejects.toMatchObject({ code: 'rpc_unavailable' });
    isFailing = false;
    const published = await followed.advance(fall, [wallet]);
    expect(published.map(({ after }) => [after.event.block, after.event.level])).toEqual([
      [Number(fall.number), 'liquidatable'],
    ]);
  });

  it('a wallet that differs from its contract has the figures of the contract in every block, until it agrees', async () => {
    const market = new GeneratedMarket(RESERVES, 10n);
    const wallet = WALLETS[0]!;
    market.hold(wallet, [
      { reserve: 0, supply: inUnits(0, 10_000_000n), debt: 0n },
      { reserve: 3, supply: 0n, debt: inUnits(3, 7_000_000n) },
    ]);
    const reader = market.reader();
    let isDiffering = true;
    /** Less than a block needs for an event. */
    const statedOf = (position: RawPosition): bigint => (position.healthFactorRaw! * 999_998n) / 1_000_000n;
    const compared = (read: PositionsRead): PositionsRead =>
      isDiffering
        ? {
            ...read,
            positions: read.positions.map((each) => ({ ...each, healthFactorRaw: statedOf(each) })),
            mismatches: read.positions.map((each) => {
              const [computed, contract] = [each.healthFactorRaw, statedOf(each)];
              return { wallet: each.wallet, figure: 'healthFactor' as const, computed, contract };
            }),
          }
        : read;
    const reports: number[] = [];
    const followed = new FollowedMarket(
      {
        ...reader,
        confirm: async (positions, block) => compared(await reader.confirm(positions, block)),
        readPositions: async (wallets, block) => compared(await reader.readPositions(wallets, block)),
      },
      NO_RISK,
      (_row, _block, mismatches) => reports.push(mismatches.length),
    );
    const shownAfterBlock = async (): Promise<bigint> => {
      await followed.advance(market.mine(1n), [wallet]);
      return followed.tracker.figures!.of(wallet)![0]!.healthFactorRaw!;
    };
    const ours = async (): Promise<RawPosition> => {
      const [position] = (await reader.readPositions([wallet], followed.tracker.figures!.block)).positions;
      return position!;
    };
    for (const block of [1, 2, 3]) {
      expect(await shownAfterBlock()).toBe(statedOf(await ours()));
      expect(reports).toEqual(Array.from({ length: block }, () => 1));
    }
    isDiffering = false;
    expect(await shownAfterBlock()).toBe((await ours()).healthFactorRaw);
    await shownAfterBlock();
    expect(reports).toEqual([1, 1, 1]);
  });

  it('a position that cannot be read hides no other of its wallet, and is not closed', async () => {
    const market = new GeneratedMarket(RESERVES, 10n);
    const wallet = WALLETS[0]!;
    market.hold(wallet, [
      { reserve: 0, supply: inUnits(0, 10_000_000n), debt: 0n },
      { reserve: 3, supply: 0n, debt: inUnits(3, 5_000_000n) },
    ]);
    const reader = market.reader('opened');
    let isFailing = false;
    const followed = new FollowedMarket({
      ...reader,
      // A stranger gave the wallet a position without a price.
      evaluate: (state, account) =>
        reader
          .evaluate(state, account)!
          .flatMap((position) => [
            isFailing ? { ...position, usdPerBaseRaw: null, unreadable: 'call_failed' as const } : position,
            { ...position, subId: 'dust', usdPerBaseRaw: null },
          ]),
    });
    const subIds = async (): Promise<string[]> =>
      (await followed.advance(market.mine(1n), [wallet])).map(({ key }) => key.subId);
    expect(await subIds()).toEqual(['']);
    expect(followed.tracker.figures!.all().map(({ subId }) => subId)).toEqual(['']);
    market.setPrice(0, (RESERVES[0]!.price * 80n) / 100n);
    expect(await subIds()).toEqual(['']);
    isFailing = true;
    market.setPrice(0, (RESERVES[0]!.price * 60n) / 100n);
    expect(await subIds()).toEqual([]);
    expect(followed.tracker.publishedOf(wallet, '')?.event.closed).toBe(false);
    isFailing = false;
    expect(await subIds()).toEqual(['']);
  });

  it('the next event of each position reports a removed block once, and not together with the earlier ones', async () => {
    const market = new GeneratedMarket(RESERVES, 10n);
    const [early, late] = WALLETS as [Address, Address];
    for (const wallet of [early, late])
      market.hold(wallet, [
        { reserve: 0, supply: inUnits(0, 10_000_000n), debt: 0n },
        { reserve: 3, supply: 0n, debt: inUnits(3, 5_000_000n) },
      ]);
    const followed = new FollowedMarket(market.reader());
    const next = async (percent: bigint, tracked = [early, late]): Promise<(number | undefined)[]> => {
      market.setPrice(0, (RESERVES[0]!.price * percent) / 100n);
      const published = await followed.advance(market.mine(1n), tracked);
      return published.map(({ after }) => after.event.orphanedFrom);
    };
    expect(await next(100n)).toEqual([undefined, undefined]);
    followed.tracker.readAll(9);
    followed.tracker.readAll(7);
    followed.tracker.readAll();
    // No change needs an event in this block. The report comes with the next one that does.
    expect(await next(100n)).toEqual([]);
    expect(await next(110n)).toEqual([7, 7]);
    expect(await next(120n)).toEqual([undefined, undefined]);
  });

  it('reads again the wallets that a log names, all holders where logs show only openings, and all wallets in six hours', async () => {
    const market = new GeneratedMarket(RESERVES, 10n);
    const [holder, empty] = WALLETS as [Address, Address];
    const held = [{ reserve: 0, supply: 10n ** 18n, debt: 0n }];
    market.hold(holder, held);
    const readBy = async (kind: 'ratios' | 'opened', seconds: bigint): Promise<readonly Address[]> => {
      const reads: Address[] = [];
      const reader = market.reader(kind);
      const { tracker } = new FollowedMarket({
        ...reader,
        readAccounts: (wallets, block) => {
          reads.push(...wallets);
          return reader.readAccounts(wallets, block);
        },
      });
      const advance = async (seconds: bigint): Promise<void> => {
        for await (const _changes of tracker.advance(market.mine(seconds), WALLETS));
      };
      await advance(1n);
      reads.length = 0;
      market.hold(empty, []);
      await advance(seconds);
      return reads;
    };
    expect(await readBy('ratios', 1n)).toEqual([empty]);
    expect(new Set(await readBy('opened', 1n))).toEqual(new Set([empty, holder]));
    expect(new Set(await readBy('ratios', 6n * 3_600n))).toEqual(new Set(WALLETS));
  });
});
