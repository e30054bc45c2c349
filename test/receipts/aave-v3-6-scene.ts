import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { type TestFolder, createTestFolder } from '@plimsoll/testing';
import { receiptContent } from '../../apps/positions/src/receipts/receipt-content';
import { recordedPositions } from '../../apps/positions/test/recorded-positions';
import { type AaveV36Market, configure, deployAaveV36 } from '../../libs/protocols/test/aave-v3-6';
import {
  type Call,
  type LocalChain,
  startLocalChain,
  testWallets,
} from '../../libs/protocols/test/local-chain';
import type { Book, MadeReceipt, Signer } from './made-receipts';

const STABLES = 1;
const MONTH = 30 * 86_400;
const LISTINGS = [
  { symbol: 'WETH', decimals: 18, price: 2_513_770_000_00n, ltv: 8_000, threshold: 8_300 },
  { symbol: 'USDC', decimals: 6, price: 99_981_234n, ltv: 7_500, threshold: 7_800 },
  { symbol: 'DAI', decimals: 18, price: 100_013_579n, ltv: 6_300, threshold: 7_700 },
];
const unitsOf = (id: number, tokens: bigint): bigint => tokens * 10n ** BigInt(LISTINGS[id]!.decimals);

/** Genuine Aave 3.6 on a local chain, with wallets that supply and owe, in an e-mode and outside one. */
export class AaveV36Scene {
  private constructor(
    private readonly chain: LocalChain,
    private readonly folder: TestFolder,
    private readonly overlayPath: string,
    private readonly wallets: readonly `0x${string}`[],
  ) {}

  static async start(): Promise<AaveV36Scene> {
    const [chain, folder] = [await startLocalChain(), await createTestFolder()];
    const { row, wallets } = await openAaveV36Book(chain);
    const overlayPath = path.join(folder.path, 'overlay.json');
    const overlay = {
      chains: [{ id: 1, multicall3: chain.multicall3 }],
      protocols: [{ id: 'aave-v3', chains: { 1: { markets: { Test: row.contracts } } } }],
    };
    await writeFile(overlayPath, JSON.stringify(overlay));
    return new AaveV36Scene(chain, folder, overlayPath, wallets);
  }

  async receipts(signer: Signer): Promise<MadeReceipt[]> {
    const { chain, overlayPath } = this;
    const fixture = { overlayPath, endpoint: { chainId: 1, rpcUrl: chain.node.url } };
    const made: MadeReceipt[] = [];
    for (const wallet of this.wallets)
      for (const position of await recordedPositions(fixture, wallet)) {
        const { content, results } = receiptContent(position);
        made.push({ name: wallet, receipt: signer.sign(content), results, rpcUrl: chain.node.url });
      }
    return made;
  }

  async close(): Promise<void> {
    await this.chain.node.dispose();
    await this.folder.remove();
  }
}

/** Genuine Aave 3.6 with four wallets, after a month of interest. */
export async function openAaveV36Book(chain: LocalChain): Promise<Book> {
  const market = await deployAaveV36(chain, LISTINGS);
  const { pool, addressesProvider } = market;
  const wallets = testWallets(4);
  for (const phase of positionsOf(market, chain.operator, wallets)) await chain.send(phase);
  await chain.passTime(MONTH);
  const contracts = { pool, addressesProvider };
  return { row: { protocol: 'aave-v3', family: 'aave-v3', chainId: 1, market: 'Test', contracts }, wallets };
}

/** One phase after the other, because the node may mine calls of different senders in any order. */
function positionsOf(
  market: AaveV36Market,
  operator: `0x${string}`,
  [plain, inEMode, unused, lender]: readonly `0x${string}`[],
): Call[][] {
  const tokenOf = (id: number) => market.assets[id]!.token;
  const pool = (name: string, args: readonly unknown[], from?: `0x${string}`): Call => {
    return { to: market.pool, abi: market.poolAbi, name, args, gas: 900_000n, ...(from && { from }) };
  };
  const supply = (id: number, tokens: bigint, wallet = operator): Call =>
    pool('supply', [tokenOf(id), unitsOf(id, tokens), wallet, 0]);
  const borrow = (id: number, tokens: bigint, wallet: `0x${string}`): Call =>
    pool('borrow', [tokenOf(id), unitsOf(id, tokens), 2n, 0, wallet], wallet);
  return [
    [
      configure(market, 'setEModeCategory', [STABLES, 9_300, 9_500, 10_100, 'Stablecoins']),
      ...[1, 2].flatMap((id) =>
        ['setAssetCollateralInEMode', 'setAssetBorrowableInEMode'].map((name) =>
          configure(market, name, [tokenOf(id), STABLES, true]),
        ),
      ),
    ],
    [pool('setUserEMode', [STABLES], inEMode!)],
    [
      ...LISTINGS.map((_, id) => supply(id, 1_000_000n)),
      supply(0, 10n, plain!),
      supply(2, 5_000n, inEMode!),
      supply(0, 3n, unused!),
      supply(1, 2_000n, unused!),
      supply(1, 7n, lender!),
    ],
    [pool('setUserUseReserveAsCollateral', [tokenOf(1), false], unused!)],
    [
      borrow(1, 9_000n, plain!),
      borrow(2, 100n, plain!),
      borrow(1, 4_000n, inEMode!),
      borrow(2, 500n, unused!),
    ],
  ];
}
