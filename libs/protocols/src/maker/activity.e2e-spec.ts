import { stringToHex, type Address } from 'viem';
import { standIns } from '../../test/local-chain';
import { expectMoves, type Step } from '../../test/play-moves';
import { anna, ben, liquidator, callsOf, tokensOn } from '../../test/stand-in-calls';
import { useLocalChain } from '../../test/use-local-chain';

jest.setTimeout(60_000);

const WAD = 10n ** 18n;
const local = useLocalChain();
const token = tokensOn(local);

describe('maker', () => {
  it('every action belongs to the vault’s owner, or to the owner of its proxy; urns without a vault have none', async () => {
    const { DsProxy, MakerJug, MakerManager, MakerSpotter, MakerVat } = standIns();
    const vat = await local().deploy(MakerVat!);
    const [jug, spot] = [await local().deploy(MakerJug!, [vat]), await local().deploy(MakerSpotter!, [vat])];
    const manager = await local().deploy(MakerManager!, [vat]);
    const proxy = await local().deploy(DsProxy!, [anna]);
    const [wbtc, dai] = [await token('WBTC', 8), await token('DAI', 18)];
    const ilk = stringToHex('WBTC-A', { size: 32 });
    const ray = 10n ** 27n;
    const [onVat, onManager] = [callsOf(vat, 'MakerVat'), callsOf(manager, 'MakerManager')];
    await local().send([
      // A rate of 1.1: each unit of normalised debt is a debt of 1.1 DAI.
      onVat(anna, 'file', ilk, (ray * 11n) / 10n, ray, (ray * 3n) / 2n, 90_000n * WAD),
      onManager(anna, 'setGem', ilk, wbtc),
      onManager(anna, 'openVault', ilk, proxy),
    ]);
    const of = (wallet: Address, id: string, asset: Address) => ({ wallet, token: asset, subId: id });
    const [first, second] = ['1', '2'].map((id): Address => `0x${id.padStart(40, '0')}`) as [
      Address,
      Address,
    ];
    const steps: Step[] = [
      {
        call: onManager(anna, 'frob', 1n, 9n * WAD, 1_000n * WAD),
        moves: [
          { ...of(anna, '1', wbtc), action: 'supply', amountRaw: 9n * 10n ** 8n },
          { ...of(anna, '1', dai), action: 'borrow', amountRaw: 1_100n * WAD },
        ],
      },
      { call: onManager(ben, 'openVault', ilk, ben), moves: [] },
      {
        call: onManager(ben, 'frob', 2n, WAD, 0n),
        moves: [{ ...of(ben, '2', wbtc), action: 'supply', amountRaw: 10n ** 8n }],
      },
      {
        call: onManager(anna, 'frob', 1n, -2n * WAD, -500n * WAD),
        moves: [
          { ...of(anna, '1', dai), action: 'repay', amountRaw: 550n * WAD },
          { ...of(anna, '1', wbtc), action: 'withdraw', amountRaw: 2n * 10n ** 8n },
        ],
      },
      {
        call: onVat(anna, 'fork', ilk, first, second, 3n * WAD, 100n * WAD),
        moves: [{ ...of(anna, '1', wbtc), action: 'transfer', counterparty: ben, amountRaw: 3n * 10n ** 8n }],
      },
      // An urn without a vault of the manager: a module of the protocol.
      { call: onVat(ben, 'frob', ilk, liquidator, liquidator, liquidator, WAD, WAD), moves: [] },
      {
        call: onVat(liquidator, 'grab', ilk, second, liquidator, liquidator, -4n * WAD, -100n * WAD),
        moves: [{ ...of(ben, '2', dai), action: 'liquidation', amountRaw: 110n * WAD }],
      },
      { call: onManager(anna, 'give', 1n, ben), moves: [] },
      {
        call: onManager(ben, 'frob', 1n, 0n, WAD),
        moves: [{ ...of(ben, '1', dai), action: 'borrow', amountRaw: (11n * WAD) / 10n }],
      },
    ];
    const contracts = { vat, jug, spot, dai, cdpManager: manager, ilkRegistry: manager };
    const { usd } = await expectMoves(local(), { family: 'maker', contracts }, steps);
    expect(await usd(wbtc, dai)).toEqual([90_000n * WAD, WAD]);
  });

  it('every action of an urn of lockstake belongs to its owner, in the staked token and USDS', async () => {
    const { DsProxy, MakerEngineOfMkr, MakerEngineOfSky, MakerJug, MakerManager, MakerSpotter, MakerVat } =
      standIns();
    const vat = await local().deploy(MakerVat!);
    const [jug, spot] = [await local().deploy(MakerJug!, [vat]), await local().deploy(MakerSpotter!, [vat])];
    const manager = await local().deploy(MakerManager!, [vat]);
    const proxy = await local().deploy(DsProxy!, [ben]);
    const [mkr, sky, dai, usds] = [
      await token('MKR', 18),
      await token('SKY', 18),
      await token('DAI', 18),
      await token('USDS', 18),
    ];
    const [ofMkr, ofSky] = [stringToHex('LSE-MKR-A', { size: 32 }), stringToHex('LSEV2-SKY-A', { size: 32 })];
    const lockstakeEngineV1 = await local().deploy(MakerEngineOfMkr!, [vat, ofMkr, usds]);
    const lockstakeEngine = await local().deploy(MakerEngineOfSky!, [vat, ofSky, usds]);
    const ray = 10n ** 27n;
    const [onVat, onManager] = [callsOf(vat, 'MakerVat'), callsOf(manager, 'MakerManager')];
    const [onFirst, onSecond] = [
      callsOf(lockstakeEngineV1, 'MakerEngineOfMkr'),
      callsOf(lockstakeEngine, 'MakerEngineOfSky'),
    ];
    await local().send([
      onVat(anna, 'file', ofMkr, ray, ray, ray * 2n, 1_500n * WAD),
      // A rate of 1.2: each unit of normalised debt is a debt of 1.2 USDS.
      onVat(anna, 'file', ofSky, (ray * 12n) / 10n, ray, (ray * 5n) / 4n, WAD / 16n),
      onManager(anna, 'setJoinless', ofMkr, mkr),
      onManager(anna, 'setJoinless', ofSky, sky),
      onFirst(anna, 'open', [anna], [0n], [0n]),
      onSecond(anna, 'open', [anna, proxy], [0n, 0n], [0n, 0n]),
    ]);
    const urnOf = async (engine: Address, owner: Address): Promise<Address> => {
      const { abi } = standIns()['MakerEngineOfSky']!;
      const call = { to: engine, abi, name: 'ownerUrns', args: [owner, 0n] };
      const [urn] = (await local().readMany([call], await local().head())) as [Address];
      return urn.toLowerCase() as Address;
    };
    const [first, second, proxied] = await Promise.all([
      urnOf(lockstakeEngineV1, anna),
      urnOf(lockstakeEngine, anna),
      urnOf(lockstakeEngine, proxy),
    ]);
    const of = (wallet: Address, subId: Address, asset: Address) => ({ wallet, token: asset, subId });
    const steps: Step[] = [
      {
        call: onSecond(anna, 'frob', second, 90_000n * WAD, 1_000n * WAD),
        moves: [
          { ...of(anna, second, sky), action: 'supply', amountRaw: 90_000n * WAD },
          { ...of(anna, second, usds), action: 'borrow', amountRaw: 1_200n * WAD },
        ],
      },
      {
        call: onFirst(anna, 'frob', first, 3n * WAD, 100n * WAD),
        moves: [
          { ...of(anna, first, mkr), action: 'supply', amountRaw: 3n * WAD },
          { ...of(anna, first, usds), action: 'borrow', amountRaw: 100n * WAD },
        ],
      },
      {
        call: onSecond(ben, 'frob', proxied, 10_000n * WAD, 0n),
        moves: [{ ...of(ben, proxied, sky), action: 'supply', amountRaw: 10_000n * WAD }],
      },
      {
        call: onSecond(anna, 'frob', second, -1_000n * WAD, -500n * WAD),
        moves: [
          { ...of(anna, second, usds), action: 'repay', amountRaw: 600n * WAD },
          { ...of(anna, second, sky), action: 'withdraw', amountRaw: 1_000n * WAD },
        ],
      },
      // An urn of the engine's ilk that the engine does not know: a module of the protocol.
      { call: onVat(ben, 'frob', ofSky, liquidator, liquidator, liquidator, WAD, WAD), moves: [] },
      {
        call: onVat(liquidator, 'grab', ofSky, second, liquidator, liquidator, -10_000n * WAD, -100n * WAD),
        moves: [{ ...of(anna, second, usds), action: 'liquidation', amountRaw: 120n * WAD }],
      },
    ];
    const contracts = {
      vat,
      jug,
      spot,
      dai,
      cdpManager: manager,
      ilkRegistry: manager,
      lockstakeEngine,
      lockstakeEngineV1,
    };
    const { usd } = await expectMoves(local(), { family: 'maker', contracts }, steps);
    expect(await usd(sky, mkr, usds)).toEqual([WAD / 16n, 1_500n * WAD, WAD]);
  });
});
