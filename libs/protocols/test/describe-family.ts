import type { ContractRow } from '@plimsoll/evm';
import { maxUint256, type Address } from 'viem';
import { FamilyReader } from '../src/reader/family-reader';
import type { Family, HeldAccount, MarketAtBlock } from '../src/reader/family';
import type { RawLeg } from '../src/reader/raw-position';
import { expectRatios } from './expect-ratios';
import { expectVerified } from './expect-verified';
import { testWallets, type Call, type LocalChain } from './local-chain';
import { logIndex } from '../src/reader/log-index';

/** Least number of wallets with which a family is tested. */
const WALLET_COUNT = 220;
const DAY_SECONDS = 86_400;
const HOUR_SECONDS = 3_600;
const HOURS_PER_YEAR = 8_760n;

/** A protocol on the local chain, with a position of every wallet. */
interface DeployedFamily {
  contracts: ContractRow;
  /** A contract that every account is read from. */
  heart: Address;
  usdOracles?: readonly Address[];
}

/** A protocol by its own code, which states the figures of its positions. */
export interface GenuineFamily extends DeployedFamily {
  figures: Pick<Call, 'to' | 'abi' | 'name'>;
  /** Selects collateral, debt and health factor from the result. */
  figuresOf: (result: readonly bigint[]) => readonly bigint[];
}

interface FamilyCase<D, R> {
  reader: () => R;
  wallets: readonly Address[];
  deployed: () => D;
}

/**
 * The tests that every family must pass, and that compare no figure with the contract: recordings do that. `chain` exists
 * when the tests run.
 */
function describeFamily<D extends DeployedFamily, L, M extends MarketAtBlock, A extends HeldAccount>(
  name: string,
  family: Family<L, M, A>,
  chain: () => LocalChain,
  build: (chain: LocalChain, wallets: readonly Address[]) => Promise<D>,
): FamilyCase<D, FamilyReader<L, M, A>> {
  const wallets = testWallets(WALLET_COUNT);
  let deployed: D;
  let reader: FamilyReader<L, M, A>;

  const readerOn = (contracts: ContractRow): FamilyReader<L, M, A> => {
    const row = { protocol: name, family: name, chainId: 1, market: name, contracts };
    const { client, multicall } = chain();
    return new FamilyReader(family, row, {
      client,
      multicall,
      usdOracles: deployed.usdOracles ?? [],
      index: logIndex(client),
    });
  };

  describe(name, () => {
    beforeAll(async () => {
      deployed = await build(chain(), wallets);
      reader = readerOn(deployed.contracts);
    }, 60_000);

    it('interest alone changes no principal, and without a principal a debt grows by at most twice a year', async () => {
      const principalsAt = async (): Promise<Map<string, RawLeg>> => {
        const { positions } = await reader.readPositions(wallets, await chain().head());
        return new Map(
          positions.flatMap(({ wallet, subId, legs }) =>
            legs.map((leg, at) => [`${wallet} ${subId} ${at}`, leg] as const),
          ),
        );
      };
      const before = await principalsAt();
      const snapshot = await chain().rpc.request('evm_snapshot', []);
      await chain().passTime(HOUR_SECONDS);
      const after = await principalsAt();
      await chain().rpc.request('evm_revert', [snapshot]);
      expect([...after.keys()]).toEqual([...before.keys()]);
      for (const [key, { scaledRaw, scaledGrows }] of after) {
        const from = before.get(key)!.scaledRaw;
        if (!scaledGrows) expect(scaledRaw).toBe(from);
        else expect(scaledRaw >= from && scaledRaw <= from + (2n * from) / HOURS_PER_YEAR + 2n).toBe(true);
      }
    });

    if (family.ratios)
      it('the inputs of its evaluations give its health factors 40 days later too', async () => {
        const snapshot = await chain().rpc.request('evm_snapshot', []);
        const pass = (): Promise<unknown> => chain().passTime(40 * DAY_SECONDS);
        expect(await expectRatios(reader, wallets, () => chain().head(), pass)).toBeGreaterThan(50);
        await chain().rpc.request('evm_revert', [snapshot]);
      });

    it('a contract that cannot be read: unreadable, never an empty list', async () => {
      const { rpc } = chain();
      const snapshot = await rpc.request('evm_snapshot', []);
      await rpc.request('anvil_setCode', [deployed.heart, '0x60006000fd']);
      await chain().passTime(1);
      const { positions, unreadable } = await readerOn(deployed.contracts).readPositions(
        wallets,
        await chain().head(),
      );
      expect(positions).toEqual([]);
      expect(unreadable).toMatchObject([{ protocol: name, reason: 'call_failed' }]);
      await rpc.request('evm_revert', [snapshot]);
    });

    it('a registry row with a wrong address: the probe reports it', async () => {
      const block = await chain().head();
      expect(await reader.probe(block)).toEqual({ ok: true });
      const [nowhere] = testWallets(1, 0x7000);
      const moved = Object.fromEntries(Object.keys(deployed.contracts).map((key) => [key, nowhere]));
      expect(await readerOn(moved).probe(block)).toMatchObject({ ok: false, reason: 'call_failed' });
    });

    it('a wallet without holdings has no position and is not unreadable', async () => {
      const read = await reader.readPositions(testWallets(1, 0x8000), await chain().head());
      expect(read).toEqual({ positions: [], unreadable: [], mismatches: [] });
    });
  });
  return { reader: () => reader, wallets, deployed: () => deployed };
}

/** The tests of a family on its own code, whose figures every position must have. */
export function describeGenuineFamily<L, M extends MarketAtBlock, A extends HeldAccount>(
  name: string,
  family: Family<L, M, A>,
  chain: () => LocalChain,
  build: (chain: LocalChain, wallets: readonly Address[]) => Promise<GenuineFamily>,
): FamilyCase<GenuineFamily, FamilyReader<L, M, A>> {
  const own = describeFamily(name, family, chain, build);
  const { reader, wallets, deployed } = own;

  const expectEqual = async (seconds: number): Promise<void> => {
    await chain().passTime(seconds);
    const block = await chain().head();
    const { positions, unreadable, mismatches } = await reader().readPositions(wallets, block);
    expect({ unreadable, mismatches }).toEqual({ unreadable: [], mismatches: [] });
    expectVerified(name, positions);
    expect(new Set(positions.map(({ wallet }) => wallet))).toEqual(new Set(wallets));
    const { figures, figuresOf } = deployed();
    const calls = positions.map(({ wallet }) => ({ ...figures, args: [wallet] }));
    const results = (await chain().readMany(calls, block)) as bigint[][];
    const computed = positions.map((position) => [
      position.totalCollateralRaw,
      position.totalDebtRaw,
      position.healthFactorRaw ?? maxUint256,
    ]);
    expect(computed).toEqual(results.map((result) => figuresOf(result)));
    expect(positions.length).toBeGreaterThanOrEqual(200);
  };

  describe(`${name} by its own code`, () => {
    it.each([0, 37, 40 * DAY_SECONDS, 400 * DAY_SECONDS])(
      'over 200 positions equals the contract to the wei, %d seconds later',
      expectEqual,
      30_000,
    );

    it('the positions include liquidatable ones, some without debt, with dust and with huge amounts', async () => {
      const { positions } = await reader().readPositions(wallets, await chain().head());
      const factors = positions.map(({ healthFactorRaw }) => healthFactorRaw);
      expect(factors.some((factor) => factor === null)).toBe(true);
      expect(factors.some((factor) => factor !== null && factor < 10n ** 18n)).toBe(true);
      const amounts = positions.flatMap(({ legs }) => legs.map((leg) => leg.amountRaw));
      expect(amounts.some((amount) => amount < 1_000n)).toBe(true);
      const wholes = positions.flatMap(({ legs }) =>
        legs.map((leg) => leg.amountRaw / 10n ** BigInt(leg.decimals)),
      );
      expect(wholes.some((whole) => whole > 10n ** 8n)).toBe(true);
    });
  });
  return own;
}
