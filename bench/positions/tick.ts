import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { type BookLeg, PositionBook, randomBits } from '@plimsoll/risk-math';

const POSITIONS = 1_000_000;
const ASSETS = 40;
const COLLATERALS = 2;
const RUNS = 31;
const WARM_UPS = 10;
/** The change of the health factor, in both directions, that sends a webhook. */
const MATERIAL = 0.01;
const SMALL_MOVE = 0.0005;
const FALL = 0.2;

/** A few assets have most of the legs: the first one a sixth of them, 511,000 in the model behind the bar. */
const popularity = (share: number): number => Math.min(ASSETS - 1, Math.floor(ASSETS * share ** 2.1));

/** A book of positions with two collaterals and a debt each, at health factors from about 1 upwards. */
function seededBook(): { book: PositionBook; legsOf: number[] } {
  const bits = randomBits(7);
  const random = (): number => bits() / 2 ** 32;
  const book = new PositionBook();
  const prices = Array.from({ length: ASSETS }, () => 10 ** (random() * 6 - 1));
  for (const price of prices) book.addPrice(price);
  const legsOf = prices.map(() => 0);
  for (let made = 0; made < POSITIONS; made += 1) {
    const legs: BookLeg[] = [];
    let weighted = 0;
    for (let i = 0; i < COLLATERALS; i += 1) {
      const price = popularity(random());
      const liquidationThreshold = 0.6 + 0.35 * random();
      const usd = 100 * 10 ** (4 * random());
      weighted += usd * liquidationThreshold;
      legs.push({ price, side: 'collateral', units: usd / prices[price]!, liquidationThreshold });
    }
    const owed = popularity(random());
    const healthFactor = 1.02 + 2 * random();
    legs.push({ price: owed, side: 'debt', units: weighted / healthFactor / prices[owed]! });
    for (const { price } of legs) legsOf[price]! += 1;
    book.add(legs, { low: healthFactor * (1 - MATERIAL), high: healthFactor * (1 + MATERIAL) });
  }
  book.takeSuspects();
  return { book, legsOf };
}

/**
 * CPU of one thread over a million positions of three legs: all sums recomputed and every position checked; a
 * tick of the asset with the most legs and of one with few, each with the suspects removed; a fall with
 * many suspects.
 */
export function measureTick(progress: (line: string) => void): object {
  progress(`making ${POSITIONS} positions`);
  const before = bytesInUse();
  const { book, legsOf } = seededBook();
  const bytes = bytesInUse() - before;
  const byLegs = legsOf.map((legs, price) => ({ legs, price })).sort((a, b) => b.legs - a.legs);
  const hottest = byLegs[0]!;
  const rare = byLegs.at(-1)!;
  const move = ({ price, legs }: { price: number; legs: number }, by: number) => {
    const from = book.priceAt(price);
    let run = 0;
    let suspects = 0;
    const cpuMs = median(() => {
      run += 1;
      book.tick(price, run % 2 === 1 ? from * (1 + by) : from);
      suspects = Math.max(suspects, book.takeSuspects().length);
    });
    return { legs, movePercent: by * 100, suspects, ...cpuMs };
  };
  progress('ticking');
  return {
    positions: book.size,
    legs: legsOf.reduce((sum, legs) => sum + legs, 0),
    fullPass: median(() => {
      book.sumUp();
      book.takeSuspects();
    }),
    hottestAsset: move(hottest, SMALL_MOVE),
    rareAsset: move(rare, SMALL_MOVE),
    fallOfHottest: move(hottest, -FALL),
    bytesPerPosition: {
      columns: rounded(book.bytes / POSITIONS),
      process: rounded(bytes / POSITIONS),
    },
    aim: { fullPassCpuMs: 60, hottestAssetCpuMs: 10, bytesPerPosition: 120 },
  };
}

/** Memory of this process, heap and columns, after garbage collection. */
function bytesInUse(): number {
  setFlagsFromString('--expose-gc');
  const collectGarbage = runInNewContext('gc') as () => void;
  collectGarbage();
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
}

/** The median and the highest CPU milliseconds of the counted runs. */
function median(work: () => void): { cpuMs: number; highestCpuMs: number } {
  for (let i = 0; i < WARM_UPS; i += 1) work();
  const times = Array.from({ length: RUNS }, () => {
    const before = process.cpuUsage();
    work();
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1_000;
  }).sort((a, b) => a - b);
  return { cpuMs: rounded(times[RUNS >> 1]!), highestCpuMs: rounded(times.at(-1)!) };
}

const rounded = (value: number): number => Number(value.toFixed(2));
