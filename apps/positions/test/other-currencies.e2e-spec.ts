import type { PositionDetail, PositionList, PositionListItem } from '@plimsoll/contracts';
import { SEED_PLANS } from '@plimsoll/devnet';
import { waitFor } from '@plimsoll/testing';
import type { Address } from 'viem';
import { type ChainFixture, startChain } from './chain-fixture';
import { addLiquity } from './liquity-fixture';
import { type MorphoFixture, addMorpho, decimalsOf } from './morpho-fixture';
import { ServiceFixture, identityOf } from './service-fixture';

jest.setTimeout(30_000);

const WAD = 10n ** 18n;

describe('flags and currency of a position', () => {
  let chain: ChainFixture;
  let morpho: MorphoFixture;
  let liquity: Awaited<ReturnType<typeof addLiquity>>;
  let service: ServiceFixture;
  let wallet: Address;
  const me = identityOf('pro');
  const list = async (): Promise<PositionList> =>
    (await service.call<PositionList>('GET', `/v1/positions?wallet=${wallet}`, me)).body;
  const of = async (protocol: string): Promise<PositionListItem> =>
    (await list()).positions.find((position) => position.protocol === protocol)!;

  beforeAll(async () => {
    chain = await startChain(1, SEED_PLANS.slice(0, 1));
    // A loan of WETH against USDC: the market counts in WETH.
    morpho = await addMorpho(chain, [
      { loan: 'WETH', collateral: 'USDC', lltv: 860_000_000_000_000_000n, price: 10n ** 48n / 2_500n },
    ]);
    wallet = chain.wallets[0]!.address;
    liquity = await addLiquity(chain, wallet);
    await morpho.supplyCollateral(wallet, morpho.markets[0]!, 25_000n * decimalsOf(chain, 'USDC'));
    await morpho.borrow(wallet, morpho.markets[0]!, 5n * decimalsOf(chain, 'WETH'));
    service = await ServiceFixture.create([chain.endpoint], chain.overlayPath);
    await service.start();
    await service.call('POST', '/v1/wallets', me, { address: wallet });
    await waitFor(async () => (await list()).positions.length === 3, { message: 'all are read' });
  }, 120_000);
  afterAll(async () => {
    await service?.close();
    await chain?.close();
  }, 60_000);

  it('a market that counts in WETH: dollars by the rate at the block, in the list, the detail and position.v1', async () => {
    const { id, totalCollateralUsd, totalDebtUsd } = await of('morpho-blue');
    const { body } = await service.call<PositionDetail>('GET', `/v1/positions/${id}`, me);
    const usdPerWeth = Number(body.usdPerBaseRaw) / 1e18;
    // 25,000 USDC are 10 WETH there, at the WETH price of the chain's dollar oracle.
    expect(totalCollateralUsd / usdPerWeth).toBeCloseTo(10, 6);
    expect(totalDebtUsd / usdPerWeth).toBeCloseTo(5, 3);
    const [usdc] = body.collateralAssets;
    const [weth] = body.debtAssets;
    expect(weth).toMatchObject({ asset: 'WETH', priceUsd: usdPerWeth, priceRaw: String(WAD) });
    expect(usdc!.priceUsd).toBeCloseTo(usdPerWeth / 2_500, 6);
    expect(usdc!.usdValue).toBeCloseTo(25_000 * usdc!.priceUsd!, 4);

    const event = await service.waitForPosition(wallet, ({ protocol }) => protocol === 'morpho-blue');
    expect(event).toMatchObject({ usdPerBaseRaw: expect.stringMatching(/^\d{22}$/), flags: [] });
    expect(event.legs.find(({ side }) => side === 'debt')).toMatchObject({ priceUsd: expect.any(Number) });
    expect(event.totalDebtUsd / (Number(event.usdPerBaseRaw) / 1e18)).toBeCloseTo(5, 3);
  });

  it('a market in dollars states a rate of one', async () => {
    const { id } = await of('aave-v3');
    const { body } = await service.call<PositionDetail>('GET', `/v1/positions/${id}`, me);
    expect(body.usdPerBaseRaw).toBe(String(WAD));
    for (const { priceUsd, priceRaw } of body.collateralAssets) expect(priceUsd).toBe(Number(priceRaw) / 1e8);
  });

  it('recovery mode is a flag in the list and in position.v1, and disappears when the system has recovered', async () => {
    expect((await of('liquity-v1')).flags).toEqual([]);
    await liquity.setPrice(1_800n);
    const inRecovery = await service.waitForPosition(
      wallet,
      ({ protocol, flags }) => protocol === 'liquity-v1' && flags?.[0] === 'recovery_mode',
    );
    expect((await of('liquity-v1')).flags).toEqual(['recovery_mode']);
    await liquity.setPrice(2_500n);
    await service.waitForPosition(
      wallet,
      ({ protocol, flags, sequence }) =>
        protocol === 'liquity-v1' && flags?.length === 0 && sequence > inRecovery.sequence,
    );
    expect((await of('liquity-v1')).flags).toEqual([]);
  });
});
