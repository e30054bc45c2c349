import { readFileSync } from 'node:fs';
import path from 'node:path';
import { Multicall, parseHead } from '@plimsoll/evm';
import { replayClient } from '@plimsoll/testing';
import type { Address } from 'viem';
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

function open(name: string) {
  const { chain, rows, wallets } = parseReading(readFileSync(path.join(FOLDER, `${name}.json.gz`)));
  const client = replayClient([chain], name);
  const parts = { client, multicall: new Multicall(client, chain.multicall3), index: logIndex(client, 0n) };
  const reader = new FamilyReader(comet, rows[0]!, parts);
  return { reader, wallets, block: parseHead(chain.block) };
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

  it('is over when the proposal was executed', async () => {
    const { reader, block } = open('comet-made');
    const { accounts } = await reader.readAccounts(Object.values(wallets), block);
    expect(await reader.readAnnouncements(block, [...accounts.values()])).toEqual({
      changes: [],
      ended: [{ proposalId, end: 'executed' }],
    });
  });
});
