import { describeRecordedFamily } from '../../test/describe-recorded-family';
import { openRecording } from '../../test/open-recording';

for (const name of ['liquity-v1/liquity-v1-recovery', 'liquity-v1/liquity-v1-redistributed'])
  describeRecordedFamily(name, ({ troveManager }) => troveManager);

it('the debt of a trove states no market price where no oracle of the chain knows that of LUSD', async () => {
  const { reader, wallets, block } = openRecording('liquity-v1/liquity-v1-redistributed');
  const { positions } = await reader.readPositions(wallets, block);
  const debts = positions.flatMap(({ legs }) => legs.filter(({ side }) => side === 'debt'));
  expect(new Set(debts.map(({ marketUsdRaw }) => marketUsdRaw))).toEqual(new Set([undefined]));
});
