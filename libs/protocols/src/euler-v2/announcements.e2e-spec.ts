import type { Address } from 'viem';
import { type LocalChain, standIns, startLocalChain } from '../../test/local-chain';
import type { AnnouncementScope } from '../reader/family';
import { effectsOf } from '../reader/announcements';
import type { EulerAccount } from './accounts';
import { readEulerAnnouncements } from './announcements';
import { eulerV2 } from './reader';

const WAD = 10n ** 18n;
const DAY = 86_400n;
const wallet = `0x${'a'.repeat(40)}` as Address;
const collateral = `0x${'c'.repeat(40)}` as Address;
const other = `0x${'d'.repeat(40)}` as Address;
const dollar = `0x${'e'.repeat(40)}` as Address;

describe('an LTV of Euler that falls with time', () => {
  let chain: LocalChain;
  let controller: Address;
  const { RampedVault } = standIns();

  beforeAll(async () => {
    chain = await startLocalChain();
    controller = await chain.deploy(RampedVault!);
  }, 120_000);
  afterAll(() => chain?.node.dispose());

  const announced = async (vault: Address, ltvBps: bigint) => {
    const block = await chain.head();
    const row = { protocol: 'euler-v2', family: 'euler-v2', chainId: 1, market: 'evc', contracts: {} };
    const token = (address: Address, symbol: string) => ({ address, symbol, decimals: 18 });
    const market = {
      block,
      usd: new Map([[dollar, WAD]]),
      tokens: new Map([
        [controller, token(controller, 'USDC')],
        [collateral, token(`0x${'1'.repeat(40)}`, 'WETH')],
        [other, token(`0x${'2'.repeat(40)}`, 'WBTC')],
        [dollar, token(dollar, 'USD')],
      ]),
    };
    const held = { vault, shares: WAD, assets: WAD, ltvBps, value: 2_000n * WAD };
    const account: EulerAccount = {
      wallet,
      accounts: [
        {
          number: 0,
          deposits: [],
          loan: {
            controller,
            unit: dollar,
            oracle: dollar,
            debt: 1_500n * WAD,
            liability: 1_500n * WAD,
            adjusted: (2_000n * WAD * ltvBps) / 10_000n,
            maxDiscountBps: 1_000n,
            collaterals: [held],
          },
        },
      ],
    };
    const scope = { row, multicall: chain.multicall } as unknown as AnnouncementScope;
    const { changes, ended } = await readEulerAnnouncements(scope, market, [account]);
    const figures = (at: typeof market, of: EulerAccount) => eulerV2.evaluate(row, at, of)!;
    return {
      ended,
      changes: changes.map(({ after, ...change }) => {
        const then = after!(account);
        return {
          ...change,
          effects: effectsOf(change, figures(market, account), figures(then.market, then.account)),
        };
      }),
    };
  };
  const ramp = (from: number, to: number, until: bigint) =>
    chain.send([{ to: controller, abi: RampedVault!.abi, name: 'setLTV', args: [from, to, until] }]);

  it('states where it ends, and the health factor there', async () => {
    const until = (await chain.head()).timestamp + 2n * DAY;
    await ramp(9_000, 8_000, until);
    const { changes, ended } = await announced(collateral, 8_700n);
    expect(ended).toEqual([]);
    expect(changes).toEqual([
      {
        id: `ramp ${controller} ${collateral} ${until}`,
        proposalId: `ramp ${controller} ${collateral} ${until}`,
        source: controller,
        token: `0x${'1'.repeat(40)}`,
        symbol: 'WETH',
        values: [{ parameter: 'liquidation_threshold', from: '0.87', to: '0.8' }],
        earliestAt: until,
        expiresAt: null,
        isGradual: true,
        effects: [
          {
            subId: '0',
            healthFactor: (WAD * 116n) / 100n,
            healthFactorAfter: (2_000n * 8_000n * WAD) / 15_000_000n,
          },
        ],
      },
    ]);
  });

  it('is over at its end, and is nothing for an LTV that rose', async () => {
    const until = (await chain.head()).timestamp + DAY;
    await ramp(9_000, 8_000, until);
    await chain.passTime(Number(DAY) + 1);
    expect(await announced(collateral, 8_000n)).toEqual({
      changes: [],
      ended: [{ proposalId: `ramp ${controller} ${collateral} ${until}`, end: 'executed' }],
    });
    await chain.passTime(Number(8n * DAY));
    expect(await announced(collateral, 8_000n)).toEqual({ changes: [], ended: [] });
    await ramp(8_000, 9_000, (await chain.head()).timestamp);
    expect((await announced(collateral, 9_000n)).changes).toEqual([]);
  });
});
