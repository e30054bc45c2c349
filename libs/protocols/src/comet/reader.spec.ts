import { contractOf, lowerCase, readAll } from '@plimsoll/evm';
import { parseAbi } from 'viem';
import { describeRecordedFamily } from '../../test/describe-recorded-family';
import { openRecording } from '../../test/open-recording';

describeRecordedFamily('comet/comet-0-seconds', ({ comet }) => comet, { later: 'comet/comet-400-days' });

const abi = parseAbi([
  'struct AssetInfo { uint8 offset; address asset; address priceFeed; uint64 scale; uint64 borrowCollateralFactor; uint64 liquidateCollateralFactor; uint64 liquidationFactor; uint128 supplyCap; }',
  'function numAssets() view returns (uint8)',
  'function getAssetInfo(uint8 index) view returns (AssetInfo)',
  'function getPrice(address priceFeed) view returns (uint256)',
  'function getUtilization() view returns (uint256)',
  'function getSupplyRate(uint256 utilization) view returns (uint64)',
  'function getBorrowRate(uint256 utilization) view returns (uint64)',
  'function userCollateral(address user, address asset) view returns (uint128 balance, uint128 reserved)',
]);

describe.each([0, 1])('comet %d of a recording, by its own code', (at) => {
  const { row, scope, reader, wallets, block } = openRecording('comet/comet-400-days', at);
  const comet = contractOf(row, 'comet');
  const readAssets = async () => {
    const count = await readAll(scope, 'count', block, (plan) => plan.call(comet, abi, 'numAssets', []));
    return readAll(scope, 'assets', block, (plan) =>
      Array.from({ length: count }, (_, index) => plan.call(comet, abi, 'getAssetInfo', [index])),
    );
  };

  it('collateral whose price feed fails makes only its holders unreadable', async () => {
    const assets = await readAssets();
    const prices = await readAll(scope, 'prices', block, (plan) =>
      assets.map(({ priceFeed }) => plan.attempt(comet, abi, 'getPrice', [priceFeed])),
    );
    const dead = assets.filter((_, index) => !prices[index]!.ok);
    expect(dead).toHaveLength(1);
    const balances = await readAll(scope, 'balances', block, (plan) =>
      wallets.map((wallet) => plan.call(comet, abi, 'userCollateral', [wallet, dead[0]!.asset])),
    );
    const holders = wallets.filter((_, index) => balances[index]![0] > 0n);
    const { unreadable } = await reader.readPositions(wallets, block);
    expect(unreadable.flatMap((each) => each.wallets).toSorted()).toEqual(holders.toSorted());
    expect(holders.length).toBeGreaterThan(0);
  });

  it('the liquidation bonus is what the factor of the collateral leaves', async () => {
    const assets = await readAssets();
    const bonuses = new Map(
      assets.map(({ asset, liquidationFactor }) => [
        lowerCase(asset),
        BigInt(Math.round(10_000 * (1e18 / Number(liquidationFactor) - 1))),
      ]),
    );
    const { positions } = await reader.readPositions(wallets, block);
    const securing = positions.flatMap(({ legs }) =>
      legs.filter((leg) => leg.usedAsCollateral && leg.liquidationThresholdBps > 0n),
    );
    expect(securing.map(({ liquidationBonusBps }) => liquidationBonusBps)).toEqual(
      securing.map(({ address }) => bonuses.get(address)),
    );
    expect(securing.length).toBeGreaterThan(20);
  });

  it("returns the base's yearly rates, and none for collateral", async () => {
    const utilization = await readAll(scope, 'utilization', block, (plan) =>
      plan.call(comet, abi, 'getUtilization', []),
    );
    const perSecond = await readAll(scope, 'rates', block, (plan) => ({
      supply: plan.call(comet, abi, 'getSupplyRate', [utilization]),
      borrow: plan.call(comet, abi, 'getBorrowRate', [utilization]),
    }));
    const yearly = (rate: bigint): number => (Number(rate) / 1e18) * (365 * 86_400);
    const [supply, borrow] = [yearly(perSecond.supply), yearly(perSecond.borrow)];
    expect(borrow).toBeGreaterThan(0);
    const { positions } = await reader.readPositions(wallets, block);
    for (const { side, usedAsCollateral, annualRate } of positions.flatMap(({ legs }) => legs))
      expect(annualRate).toBe(side === 'debt' ? borrow : usedAsCollateral ? 0 : supply);
  });
});
