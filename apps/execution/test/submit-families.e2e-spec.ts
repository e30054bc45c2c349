import type { TestFolder } from '@plimsoll/testing';
import { healthFactor } from './build-and-send';
import { ExecutionHarness } from './execution-harness';
import { allow, onMorpho, onVenus, submitUnderPolicy } from './family-policy';
import { KEEPER, keeperSettings } from './keeper';
import { type LocalMarket, startMarket } from './local-market';
import { positionsOn } from './read-positions';

let market: LocalMarket;
let folder: TestFolder;
let service: ExecutionHarness;

beforeAll(async () => {
  market = await startMarket(undefined, { others: true, keeper: KEEPER.address });
  const keeper = await keeperSettings();
  folder = keeper.folder;
  service = await ExecutionHarness.start(market, {
    ...keeper.settings,
    CONFIRMATIONS: '1:2',
    FOLLOW_POLL_MS: 50,
  });
}, 120_000);

afterAll(async () => {
  await service?.close();
  await market?.close();
  await folder?.remove();
});

describe.each([
  ['morpho-blue', onMorpho],
  ['venus', onVenus],
])('flash_loan_unwind submitted on %s', (protocol, allowedOn) => {
  it('runs to its end, at the target and the prediction', async () => {
    const [position] = await positionsOn(market, protocol);
    const scene = { market, service };
    await allow(scene, position!, await allowedOn(market, position!));
    await submitUnderPolicy(scene, position!, Math.round(healthFactor(position!) * 1_300) / 1_000);
  }, 60_000);
});
