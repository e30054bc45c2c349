import { readFileSync } from 'node:fs';
import path from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { Multicall, contractOf, parseHead, readAll } from '@plimsoll/evm';
import { replayClient } from '@plimsoll/testing';
import {
  type Address,
  type Hex,
  decodeAbiParameters,
  encodeAbiParameters,
  parseAbi,
  parseAbiParameters,
} from 'viem';
import { FamilyReader } from '../reader/family-reader';
import { logIndex } from '../reader/log-index';
import { parseReading } from '../verdicts/recorded-reading';
import { comet } from './reader';

const FOLDER = path.join(__dirname, '../../../../test/announcements/comet');
const DAY_SECONDS = 86_400n;

interface Description {
  wallets: Record<'lender' | 'ether' | 'bitcoin' | 'both' | 'none', Address>;
  timelock: Address;
  eta: string;
  weth: Address;
  wbtc: Address;
  newFeed: Address;
}
const description = JSON.parse(readFileSync(path.join(FOLDER, 'comet-queued.json'), 'utf8')) as Description;

const read = (name: string): Buffer => readFileSync(path.join(FOLDER, `${name}.json.gz`));

function open(name: string, file = read(name)) {
  const { chain, rows, wallets } = parseReading(file);
  const client = replayClient([chain], name);
  const parts = { client, multicall: new Multicall(client, chain.multicall3), index: logIndex(client, 0n) };
  const reader = new FamilyReader(comet, rows[0]!, parts);
  const scope = { row: rows[0]!, multicall: parts.multicall };
  return { reader, scope, wallets, block: parseHead(chain.block) };
}

const QUEUED = parseAbiParameters('uint256 value, string signature, bytes data, uint256 eta');
const ASSET = parseAbi([
  'struct AssetInfo { uint8 offset; address asset; address priceFeed; uint64 scale; uint64 borrowCollateralFactor; uint64 liquidateCollateralFactor; uint64 liquidationFactor; uint128 supplyCap; }',
  'function getAssetInfo(uint8 i) view returns (AssetInfo)',
]);

/** The recording, in which the first queued call sets the cap of an asset and not its factor. */
function withQueuedCap(comet: Address, asset: Address, cap: bigint): Buffer {
  const json = JSON.parse(gunzipSync(read('comet-queued')).toString()) as {
    chain: { logs: { logs: { data: Hex }[] }[] };
  };
  const log = json.chain.logs
    .flatMap(({ logs }) => logs)
    .find(({ data }) => data.includes(Buffer.from('updateAssetLiquidateCollateralFactor').toString('hex')))!;
  const [value, , , eta] = decodeAbiParameters(QUEUED, log.data);
  const data = encodeAbiParameters(parseAbiParameters('address, address, uint128'), [comet, asset, cap]);
  log.data = encodeAbiParameters(QUEUED, [value, 'updateAssetSupplyCap(address,address,uint128)', data, eta]);
  return gzipSync(JSON.stringify(json));
}

/** Compound's Comet and Timelock, by their own code: one proposal lowers a factor and replaces a price feed. */
describe('what the timelock of a comet has queued', () => {
  const { wallets, timelock, weth, wbtc, newFeed } = description;
  const eta = BigInt(description.eta);
  const proposalId = `timelock ${timelock} ${eta}`;

  it('states the changes of each asset, and the effect of the whole proposal', async () => {
    const { reader, block } = open('comet-queued');
    const { accounts } = await reader.readAccounts(Object.values(wallets), block);
    const { changes, ended } = await reader.readAnnouncements(block, [...accounts.values()]);
    expect(ended).toEqual([]);
    const common = {
      proposalId,
      source: timelock,
      earliestAt: eta,
      expiresAt: eta + 14n * DAY_SECONDS,
      isGradual: false,
    };
    expect(changes).toMatchObject([
      {
        ...common,
        token: weth,
        symbol: 'WETH',
        values: [{ parameter: 'liquidation_threshold', from: '0.85', to: '0.82' }],
      },
      { ...common, token: wbtc, symbol: 'WBTC', values: [{ parameter: 'oracle', to: newFeed }] },
    ]);

    const made = open('comet-made');
    const after = await made.reader.readPositions(Object.values(wallets), made.block);
    const [ether, bitcoin] = changes as [(typeof changes)[0], (typeof changes)[0]];
    for (const [change, affected] of [
      [ether, ['ether', 'both']],
      [bitcoin, ['bitcoin', 'both']],
    ] as const) {
      for (const name of Object.keys(wallets) as (keyof typeof wallets)[]) {
        const effects = change.effectsOn(accounts.get(wallets[name])!);
        if (!affected.includes(name as never)) {
          expect([name, effects]).toEqual([name, []]);
          continue;
        }
        const [{ healthFactor, healthFactorAfter }] = effects as [(typeof effects)[0]];
        const then = after.positions.find(({ wallet }) => wallet === wallets[name])!.healthFactorRaw!;
        // Two days of interest.
        expect(Number(healthFactorAfter) / Number(then)).toBeCloseTo(1, 3);
        expect(Number(healthFactorAfter)).toBeLessThan(Number(healthFactor));
      }
    }
  });

  it('states the cap that a call sets, beside that of the comet, and no effect of it on a health factor', async () => {
    const { scope } = open('comet-queued');
    const comet = contractOf(scope.row, 'comet');
    const cap = 123n * 10n ** 18n;
    const { reader, block } = open('comet-queued', withQueuedCap(comet, weth, cap));
    const { supplyCap: today } = await readAll(scope, 'asset', block, (plan) =>
      plan.call(comet, ASSET, 'getAssetInfo', [0]),
    );
    const { accounts } = await reader.readAccounts(Object.values(wallets), block);
    const { changes } = await reader.readAnnouncements(block, [...accounts.values()]);
    const change = changes.find(({ token }) => token === weth)!;
    expect(change.values).toEqual([{ parameter: 'supply_cap', from: String(today), to: String(cap) }]);
    const [effect] = change.effectsOn(accounts.get(wallets.ether)!);
    expect(effect).toMatchObject({ healthFactor: effect!.healthFactorAfter });
  });

  it('is over when the proposal was executed', async () => {
    const { reader, block } = open('comet-made');
    const { accounts } = await reader.readAccounts(Object.values(wallets), block);
    expect(await reader.readAnnouncements(block, [...accounts.values()])).toEqual({
      changes: [],
      ended: [{ proposalId, end: 'executed' }],
    });
  });
});
