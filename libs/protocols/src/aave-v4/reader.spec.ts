import { contractOf, readAll } from '@plimsoll/evm';
import { describeRecordedFamily } from '../../test/describe-recorded-family';
import { openRecording } from '../../test/open-recording';
import { spokeAbi as abi } from './accounts';

const NAME = 'aave-v4/aave-v4-400-days';
describeRecordedFamily(NAME, ({ spoke }) => spoke);

describe('aave-v4 thresholds, by its own code', () => {
  it('are those of the config key that a position was last refreshed to', async () => {
    const { row, scope, reader, wallets, block } = openRecording(NAME);
    const spoke = contractOf(row, 'spoke');
    const { positions } = await reader.readPositions(wallets, block);
    const count = Number(
      await readAll(scope, 'count', block, (plan) => plan.call(spoke, abi, 'getReserveCount', [])),
    );
    const stored = await readAll(scope, 'user positions', block, (plan) =>
      positions.map(({ wallet }) =>
        Array.from({ length: count }, (_, id) =>
          plan.call(spoke, abi, 'getUserPosition', [BigInt(id), wallet]),
        ),
      ),
    );
    const supplies = stored.map((each) =>
      each.flatMap(({ suppliedShares, dynamicConfigKey }, id) =>
        suppliedShares > 0n ? [{ id, dynamicConfigKey }] : [],
      ),
    );
    const configs = await readAll(scope, 'configs', block, (plan) =>
      supplies.map((each) =>
        each.map(({ id, dynamicConfigKey }) =>
          plan.call(spoke, abi, 'getDynamicReserveConfig', [BigInt(id), dynamicConfigKey]),
        ),
      ),
    );
    for (const [at, { legs }] of positions.entries()) {
      const factors = configs[at]!.map(({ collateralFactor }) => BigInt(collateralFactor));
      const own = legs.filter(({ side }) => side === 'collateral');
      // A supply with a factor of 0, or that its owner did not enable, secures nothing.
      expect(own.map(({ liquidationThresholdBps }) => liquidationThresholdBps)).toEqual(
        factors.map((factor, index) => (own[index]!.usedAsCollateral ? factor : 0n)),
      );
      expect(own.every(({ usedAsCollateral }, index) => !usedAsCollateral || factors[index]! > 0n)).toBe(
        true,
      );
    }
    const keys = new Set(supplies.flat().map(({ id, dynamicConfigKey }) => `${id} ${dynamicConfigKey}`));
    expect(keys.size).toBeGreaterThan(count);
  });
});
