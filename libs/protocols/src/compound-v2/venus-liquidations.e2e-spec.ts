import { Simulation } from '@plimsoll/evm';
import { startLocalChain, type LocalChain } from '../../test/local-chain';
import { openCoreBook, openIsolatedBook, type VenusBook } from '../../test/venus-books';
import { checkPositions } from '../check-reading';
import { WAD } from '../fixed-point/math';
import { logIndex } from '../reader/log-index';
import { countChecks, differencesOf, type CheckedPositions } from '../verdicts/checked-positions';

const CODE_SIZE_LIMIT_BYTES = 60_000;
/** A health factor this close to 1 is just above or just below it. */
const NEAR = WAD / 1_000n;

const BOOKS = [
  {
    family: 'venus-core',
    open: openCoreBook,
    nearWays: ['liquidateBorrow'],
    fallenWays: ['liquidateBorrow'],
    fallen: 'WBNB',
    failed: 'DAI',
  },
  {
    family: 'venus-isolated',
    open: openIsolatedBook,
    nearWays: ['liquidateAccount', 'liquidateBorrow'],
    fallenWays: ['healAccount', 'liquidateBorrow'],
    fallen: 'WETH',
    failed: 'DAI',
  },
];

describe.each(BOOKS)('liquidations of $family, by the code that Venus published', (book) => {
  let chain: LocalChain;
  let opened: VenusBook;
  const check = async (): Promise<CheckedPositions> => {
    const { client, multicall, multicall3 } = chain;
    const parts = { client, multicall, simulation: new Simulation(client, multicall3) };
    return checkPositions(
      opened.row,
      { ...parts, index: logIndex(client), usdOracles: [] },
      opened.wallets,
      await chain.head(),
    );
  };
  const waysOf = (outcomes: readonly { of: string; succeeds: unknown }[]): string[] => {
    const succeeded = outcomes.filter(({ succeeds }) => succeeds);
    return [...new Set(succeeded.map(({ of }) => of))].toSorted();
  };
  const outcomesOf = ({ positions }: CheckedPositions) =>
    positions.flatMap(({ position: { healthFactorRaw }, verdicts }) =>
      verdicts
        .filter(({ isLiquidation }) => isLiquidation)
        .map(({ of, contract }) => ({ of, healthFactor: healthFactorRaw!, succeeds: contract })),
    );

  beforeAll(async () => {
    chain = await startLocalChain({ codeSizeLimitBytes: CODE_SIZE_LIMIT_BYTES });
    opened = await book.open(chain);
  }, 240_000);
  afterAll(() => chain?.node.dispose());

  it('succeed for the positions below 1 and revert for those above, 150 within a thousandth of it', async () => {
    const checked = await check();
    expect(differencesOf(checked)).toEqual([]);
    const near = outcomesOf(checked).filter(({ healthFactor }) => {
      return (healthFactor > WAD ? healthFactor - WAD : WAD - healthFactor) < NEAR;
    });
    expect(near.length).toBeGreaterThanOrEqual(150);
    expect(near.map(({ succeeds }) => succeeds)).toEqual(near.map(({ healthFactor }) => healthFactor < WAD));
    const succeeded = near.filter(({ succeeds }) => succeeds).length;
    expect(waysOf(near)).toEqual(book.nearWays);
    expect(Math.min(succeeded, near.length - succeeded)).toBeGreaterThan(50);
  }, 120_000);

  it('end as we state after a fall, with every function that the pool has for it, beside a dead feed', async () => {
    await chain.send([opened.price(book.fallen, 45n), opened.price(book.failed, 0n)]);
    const checked = await check();
    expect(differencesOf(checked)).toEqual([]);
    expect(waysOf(outcomesOf(checked))).toEqual(expect.arrayContaining(book.fallenWays));
    const { positions, unreadable } = countChecks([checked]);
    expect(Math.min(positions, unreadable)).toBeGreaterThan(20);
  }, 120_000);
});
