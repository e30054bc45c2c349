import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import {
  type Artifact,
  PACKAGES_FOLDER,
  TransactionQueue,
  compileSolidity,
  connectAnvil,
  linkBytecode,
} from '@plimsoll/devnet';
import { type Address, encodeFunctionData } from 'viem';
import type { ChainFixture } from './chain-fixture';

const WAD = 10n ** 18n;
const CONTRACTS = path.join(__dirname, '../../../test/contracts');

/**
 * A fixture with the interface of Liquity v1 on the chain, with a trove that keeps the system out of recovery mode at 2,500 $.
 */
export async function addLiquity(chain: ChainFixture, wallet: Address) {
  const artifact = compileSolidity({
    compiler: 'solc',
    folders: [CONTRACTS, PACKAGES_FOLDER],
    entries: ['Cdp.sol'],
    settings: { optimizer: { enabled: true, runs: 200 }, evmVersion: 'cancun' },
  })['LiquityTroves'] as Artifact;
  const { operator, chainId } = chain.addresses;
  const inTurn = async (work: (queue: TransactionQueue) => Address): Promise<Address> => {
    const queue = await TransactionQueue.open(connectAnvil(chain.node.url), [operator]);
    const address = work(queue);
    await queue.flush();
    return address;
  };
  const send = (to: Address, name: string, args: readonly unknown[]) =>
    inTurn((queue) => {
      const data = encodeFunctionData({ abi: artifact.abi, functionName: name, args });
      queue.call(operator, name, to, data, 5_000_000n);
      return to;
    });
  const troves = await inTurn((queue) =>
    queue.deploy(operator, 'troves', artifact.abi, linkBytecode(artifact, {}), [2_500n * WAD]),
  );
  await send(troves, 'set', [[wallet], [4n * WAD], [5_000n * WAD]]);
  const overlay = JSON.parse(await readFile(chain.overlayPath, 'utf8'));
  overlay.protocols.push({ id: 'liquity-v1', chains: { [chainId]: { troveManager: troves } } });
  await writeFile(chain.overlayPath, JSON.stringify(overlay));
  return { setPrice: (usd: bigint) => send(troves, 'setPrice', [usd * WAD]) };
}
