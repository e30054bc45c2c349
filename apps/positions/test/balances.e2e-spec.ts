import path from 'node:path';
import type { MarketRateList, ProblemBody, WalletBalances } from '@plimsoll/contracts';
import {
  type Artifact,
  PACKAGES_FOLDER,
  SEED_PLANS,
  compileSolidity,
  connectAnvil,
  devnetAsset,
  queuedChain,
} from '@plimsoll/devnet';
import { waitFor } from '@plimsoll/testing';
import {
  type Address,
  type Hex,
  decodeFunctionResult,
  encodeFunctionData,
  numberToHex,
  parseAbi,
  zeroAddress,
} from 'viem';
import { type ChainFixture, startChain } from './chain-fixture';
import { type MorphoFixture, addMorpho, decimalsOf } from './morpho-fixture';
import { ServiceFixture, identityOf } from './service-fixture';

jest.setTimeout(60_000);

const CONTRACTS = path.join(__dirname, '../../../test/contracts');
const HOLDER: Address = `0x${'0b'.repeat(20)}`;
/** Holds shares of a vault that is used in production. */
const STATA_HOLDER: Address = `0x${'0c'.repeat(20)}`;
const COIN_WEI = 123_456_789n;
const MONTH_SECONDS = 2_592_000;
/** A debt of a third of the liquidity, so that suppliers of USDC earn more than a rounded zero. */
const LARGE_BORROWER = { ...SEED_PLANS[0]!, suppliedUsd: 400_000_000, healthFactor: 1.5 };
const abi = parseAbi([
  'struct MarketParams { address loanToken; address collateralToken; address oracle; address irm; uint256 lltv; }',
  'function createMarket(MarketParams marketParams)',
  'function mint(address account, uint256 value) returns (bool)',
  'function approve(address spender, uint256 value) returns (bool)',
  'function transfer(address to, uint256 value) returns (bool)',
  'function deposit(uint256 assets, address receiver) returns (uint256)',
  'function balanceOf(address account) view returns (uint256)',
  'function convertToAssets(uint256 shares) view returns (uint256)',
]);

const vaultArtifact = (): Artifact =>
  compileSolidity({
    compiler: 'solc',
    folders: [CONTRACTS, PACKAGES_FOLDER],
    entries: ['ShareVault.sol'],
    settings: { optimizer: { enabled: true, runs: 200 }, evmVersion: 'cancun' },
  })['ShareVault']!;

/** StataTokenV2 of Aave, whose shares are waEthUSDC and the like on Ethereum, with its rewards and behind a proxy. For tests only: BUSL until 2027. */
const stataArtifacts = (): Record<string, Artifact> =>
  compileSolidity({
    compiler: 'solc',
    entries: [
      '@aave-dao/aave-v3-origin/src/contracts/extensions/stata-token/StataTokenV2.sol',
      '@aave-dao/aave-v3-origin/src/contracts/rewards/RewardsController.sol',
      '@openzeppelin/contracts/proxy/ERC1967/ERC1967Proxy.sol',
    ],
    remappings: {
      'openzeppelin-contracts/contracts/': '@openzeppelin/contracts/',
      'openzeppelin-contracts-upgradeable/contracts/': '@openzeppelin/contracts-upgradeable/',
      'solidity-utils/contracts/': '@bgd-labs/solidity-utils/src/contracts/',
    },
    settings: { optimizer: { enabled: true, runs: 200 }, evmVersion: 'cancun' },
  });

describe('GET /v1/wallets/:address/balances', () => {
  let chain: ChainFixture;
  let morpho: MorphoFixture;
  let vault: Address;
  let stata: Address;
  let unlisted: Address;
  let service: ServiceFixture;
  const me = identityOf('pro');

  const balances = (address: string, query = '') =>
    service.call<WalletBalances & ProblemBody>('GET', `/v1/wallets/${address}/balances${query}`, me);
  const read = async (to: Address, name: 'balanceOf' | 'convertToAssets', arg: unknown, block: number) => {
    const data = encodeFunctionData({ abi, functionName: name, args: [arg] as never });
    const answer = await chain.rpc<Hex>('eth_call', [{ to, data }, numberToHex(block)]);
    return decodeFunctionResult({ abi, functionName: name, data: answer }) as bigint;
  };

  beforeAll(async () => {
    chain = await startChain(1, [...SEED_PLANS.slice(0, 2), LARGE_BORROWER]);
    morpho = await addMorpho(chain);
    const { operator } = chain.addresses;
    const { deploy, send } = queuedChain(connectAnvil(chain.node.url), operator);
    const usdc = devnetAsset(chain.addresses, 'USDC').address;
    vault = await deploy(vaultArtifact(), [usdc]);
    const one = decimalsOf(chain, 'USDC');
    const call = (to: Address, name: string, ...args: readonly unknown[]) =>
      send([{ to, abi, name, args, gas: 3_000_000n }]);
    await call(usdc, 'mint', operator, 3_000n * one);
    await call(usdc, 'mint', HOLDER, 250n * one);
    await call(usdc, 'approve', vault, 3_000n * one);
    await call(vault, 'deposit', 1_000n * one, HOLDER);
    // The vault earns half of its assets.
    await call(usdc, 'transfer', vault, 500n * one);
    unlisted = await deploy(vaultArtifact(), [usdc]);
    await call(usdc, 'mint', operator, 300n * one);
    await call(usdc, 'approve', unlisted, 200n * one);
    await call(unlisted, 'deposit', 200n * one, HOLDER);
    await call(usdc, 'transfer', unlisted, 100n * one);
    const { StataTokenV2, RewardsController, ERC1967Proxy } = stataArtifacts();
    const { aToken } = devnetAsset(chain.addresses, 'USDC');
    const data = encodeFunctionData({
      abi: StataTokenV2!.abi,
      functionName: 'initialize',
      args: [aToken, 'Static USDC', 'stataUSDC'],
    });
    // It pays no rewards here, but the vault requires one.
    const rewards = await deploy(RewardsController!, [operator]);
    stata = await deploy(ERC1967Proxy!, [await deploy(StataTokenV2!, [chain.addresses.pool, rewards]), data]);
    await call(usdc, 'approve', stata, 1_000n * one);
    await call(stata, 'deposit', 1_000n * one, STATA_HOLDER);
    // The debt of the large borrower pays interest to the vault.
    await chain.rpc('evm_increaseTime', [MONTH_SECONDS]);
    await chain.rpc('evm_mine', []);
    const { params } = morpho.markets[0]!;
    for (const collateralToken of [vault, stata])
      await call(morpho.morpho, 'createMarket', { ...params, collateralToken });
    await chain.rpc('anvil_setBalance', [HOLDER, numberToHex(COIN_WEI)]);
    service = await ServiceFixture.create([chain.endpoint], chain.overlayPath);
    service.config.RATES_INTERVAL_MS = 1_000;
    await service.start();
  }, 180_000);
  afterAll(async () => {
    await service?.close();
    await chain?.close();
  }, 30_000);

  it('200: what the contracts state at the block, with the assets of vault shares', async () => {
    await waitFor(
      async () => {
        const { body } = await service.call<MarketRateList>('GET', '/v1/markets/rates?limit=200', me);
        const collaterals = body.rates.map(({ collateralAddress }) => collateralAddress?.toLowerCase());
        return collaterals.includes(vault.toLowerCase());
      },
      { timeoutMs: 30_000, message: 'the market with the vault is read' },
    );
    const { status, body } = await balances(HOLDER);
    expect(status).toBe(200);
    const block = body.asOfBlock['1']!;
    expect(body.unknown).toEqual([]);
    expect(body.balances.map(({ asset }) => asset)).toEqual(['ETH', 'USDC', 'vSHARE']);
    const [coin, usdc, shares] = body.balances;
    expect(coin).toMatchObject({
      address: zeroAddress,
      amountRaw: String(COIN_WEI),
      decimals: 18,
      vault: null,
    });
    expect(usdc).toMatchObject({ amount: 250, decimals: 6, vault: null });
    expect(usdc!.amountRaw).toBe(String(await read(usdc!.address as Address, 'balanceOf', HOLDER, block)));
    const held = await read(vault, 'balanceOf', HOLDER, block);
    expect(shares!.amountRaw).toBe(String(held));
    expect(shares!.vault).toMatchObject({ asset: 'USDC', address: usdc!.address, decimals: 6 });
    expect(shares!.vault!.amountRaw).toBe(String(await read(vault, 'convertToAssets', held, block)));
    expect(shares!.vault!.amount).toBeCloseTo(1_500, 4);
  });

  it('200: the assets of shares of a vault that is used in production, with its interest', async () => {
    const { body } = await waitFor(
      async () => {
        const response = await balances(STATA_HOLDER);
        return response.body.balances.some(({ asset }) => asset === 'stataUSDC') && response;
      },
      { timeoutMs: 30_000, message: 'the market with the shares is read' },
    );
    const block = body.asOfBlock['1']!;
    const shares = body.balances.find(({ asset }) => asset === 'stataUSDC')!;
    const held = await read(stata, 'balanceOf', STATA_HOLDER, block);
    expect(shares.amountRaw).toBe(String(held));
    expect(shares.vault).toMatchObject({ asset: 'USDC', decimals: 6 });
    expect(shares.vault!.amountRaw).toBe(String(await read(stata, 'convertToAssets', held, block)));
    expect(shares.vault!.amount).toBeGreaterThan(1_000);
  });

  it('200: shares of a vault that no market takes, when the request names it', async () => {
    const without = await balances(HOLDER, '?chainId=1');
    expect(without.body.balances.map(({ address }) => address.toLowerCase())).not.toContain(
      unlisted.toLowerCase(),
    );
    const nothing = `0x${'0d'.repeat(20)}`;
    const { status, body } = await balances(HOLDER, `?chainId=1&token=${unlisted},${nothing},${unlisted}`);
    expect(status).toBe(200);
    const block = body.asOfBlock['1']!;
    const shares = body.balances.find(({ address }) => address.toLowerCase() === unlisted.toLowerCase())!;
    const held = await read(unlisted, 'balanceOf', HOLDER, block);
    expect(shares).toMatchObject({ asset: 'vSHARE', amountRaw: String(held) });
    expect(shares.vault).toMatchObject({ asset: 'USDC' });
    expect(shares.vault!.amountRaw).toBe(String(await read(unlisted, 'convertToAssets', held, block)));
    expect(shares.vault!.amount).toBeCloseTo(300, 4);
    expect(body.unknown).toEqual([
      { chainId: 1, asset: nothing, address: expect.any(String), reason: 'not_stated' },
    ]);
    expect(body.balances).toHaveLength(without.body.balances.length + 1);
  });

  it.each([
    [`?token=0x${'0e'.repeat(20)}`, 'chainId', 'required'],
    ['?chainId=1&token=usdc', 'token', 'invalid_address'],
    [
      `?chainId=1&token=${Array.from({ length: 21 }, (_, at) => `0x${String(at).padStart(40, '0')}`).join()}`,
      'token',
      'too_many',
    ],
  ])('400 for tokens that cannot be read (%#)', async (query, field, code) => {
    const { status, body } = await balances(HOLDER, query);
    expect([status, body.errors?.map((error) => [error.field, error.code])]).toEqual([400, [[field, code]]]);
  });

  it('states a token that states no balance as unknown, and a chain that does not respond', async () => {
    // Code that reverts every call.
    const token = devnetAsset(chain.addresses, 'WBTC').address;
    const code = await chain.rpc<Hex>('eth_getCode', [token, 'latest']);
    const latest = async (): Promise<number> => Number(await chain.rpc<Hex>('eth_blockNumber', []));
    const atBlock = async (number: number) =>
      waitFor(
        async () => {
          const { body } = await balances(HOLDER);
          return (body.asOfBlock['1'] ?? 0) >= number ? body : undefined;
        },
        { timeoutMs: 20_000, message: `balances at block ${number}` },
      );
    await chain.rpc('anvil_setCode', [token, '0x60006000fd']);
    await chain.rpc('evm_mine', []);
    const broken = await atBlock(await latest());
    expect(broken.unknown).toEqual([
      expect.objectContaining({ chainId: 1, asset: 'WBTC', reason: 'not_stated' }),
    ]);
    expect(broken.balances.map(({ asset }) => asset)).toContain('USDC');
    await chain.rpc('anvil_setCode', [token, code]);
    await chain.rpc('evm_mine', []);
    await atBlock(await latest());
    chain.pause();
    try {
      const down = await waitFor(
        async () => {
          const { body } = await balances(HOLDER);
          return body.unknown.length > 0 ? body : undefined;
        },
        { timeoutMs: 30_000, message: 'the chain is unavailable' },
      );
      expect(down).toMatchObject({
        balances: [],
        unknown: [{ chainId: 1, asset: null, address: null, reason: 'chain_unavailable' }],
        asOfBlock: {},
      });
    } finally {
      chain.resume();
    }
  });

  it('names a chain without a node, and refuses one that is not covered', async () => {
    expect((await balances(HOLDER, '?chainId=10')).body).toMatchObject({
      balances: [],
      unknown: [{ chainId: 10, asset: null, reason: 'unconfigured' }],
    });
    const path = `/v1/wallets/${HOLDER}/balances?chainId=10`;
    const csv = await fetch(service.origin + path, {
      headers: { ...service.headers('GET', path, me), accept: 'text/csv' },
    });
    // The list is empty, and the header says that it is not complete.
    expect([csv.headers.get('x-unreadable'), (await csv.text()).split('\r\n')[1]]).toEqual(['1', '']);
    const { status, body } = await balances(HOLDER, '?chainId=12345');
    expect(status).toBe(400);
    expect(body.errors).toEqual([expect.objectContaining({ field: 'chainId', code: 'unknown_chain' })]);
    expect((await balances('0x1234')).status).toBe(400);
  });
});
