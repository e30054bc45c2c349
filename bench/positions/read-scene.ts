import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { newId } from '@plimsoll/contracts';
import {
  SEED_PLANS,
  connectAnvil,
  deployDevnet,
  registryOverlay,
  seedMorpho,
  seedPositions,
  seedVenus,
} from '@plimsoll/devnet';
import { findFreePort } from '@plimsoll/local-parts';
import { createTestFolder, identityHeaders, startOwnEvm, testIdentityKeys } from '@plimsoll/testing';
import { startService } from '../../test/platform/service-process';
import { mergeOverlays } from '../../tools/local-stack/parts/registry-overlay';
import { startCountingNode } from './counting-node';

const CHAIN_IDS = [1, 42_161];
const WALLETS = 300;
/** The comptroller of Venus is above Ethereum's limit. */
const CODE_SIZE_LIMIT_BYTES = 60_000;
/** The largest would use up the liquidity that is meant for the demo. */
const PLANS = SEED_PLANS.filter(({ suppliedUsd }) => suppliedUsd < 10_000_000);

/** The service over two chains on which only the bench makes changes. */
export interface ReadScene {
  wallets: string[];
  /** Ids of the protocols on each of the chains. */
  protocols: string[];
  chains: { chainId: number; nodeUrl: string; requests: { total: number }; mine(): Promise<number> }[];
  /** Of the service. */
  pid: number;
  get<T>(path: string): Promise<T>;
  post<T>(path: string, body: object): Promise<T>;
  stop(): Promise<void>;
}

/** @param env variables of the service beside those of the stack */
export async function startReadScene(
  parts: { databaseUrl: string; kafkaBrokers: string },
  env: Record<string, string> = {},
): Promise<ReadScene> {
  const folder = await createTestFolder();
  const chains = await Promise.all(CHAIN_IDS.map(startChain));
  const overlay = path.join(folder.path, 'registry.json');
  await writeFile(overlay, JSON.stringify(mergeOverlays(chains.map((chain) => chain.overlay))));
  const identityKeys = testIdentityKeys();
  const context = {
    ...parts,
    redisUrl: '',
    rpcUrls: new Map(chains.map(({ chainId, counting }) => [chainId, counting.url])),
    registryOverlay: overlay,
    ports: new Map([['positions' as const, await findFreePort()]]),
    secrets: { identityKeys, webhookSecretKeys: '' },
  };
  const heads = Object.fromEntries(chains.map(({ chainId, node }) => [chainId, node.url]));
  const service = await startService('positions', context, folder.path, {
    KAFKA_TOPIC_PREFIX: 'reads.',
    LOG_LEVEL: 'warn',
    ...env,
    // The counting node supports only HTTP.
    ...Object.fromEntries(CHAIN_IDS.map((id) => [`RPC_WS_URL_${id}`, heads[id]!.replace(/^http/, 'ws')])),
  });
  const accountId = newId('acc');
  const request = async <T>(method: string, url: string, body?: object): Promise<T> => {
    const signed = { service: 'positions', method, path: url };
    const response = await fetch(service.url + url, {
      method,
      headers: { ...identityHeaders(identityKeys, signed, accountId), 'content-type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(20_000),
    });
    if (!response.ok) throw new Error(`${url}: ${response.status} ${await response.text()}`);
    return (await response.json()) as T;
  };
  return {
    wallets: chains[0]!.wallets,
    protocols: chains[0]!.overlay.protocols.map(({ id }) => id).sort(),
    chains: chains.map(({ chainId, node, counting, rpc }) => ({
      chainId,
      nodeUrl: node.url,
      requests: counting.requests,
      mine: async () => {
        await rpc.request('evm_mine', []);
        return Number(await rpc.request('eth_blockNumber', []));
      },
    })),
    pid: service.pid(),
    get: (url) => request('GET', url),
    post: (url, body) => request('POST', url, body),
    stop: async () => {
      await service.stop();
      await Promise.all(
        chains.map(async ({ node, counting }) => {
          await counting.close();
          await node.dispose();
        }),
      );
      await folder.remove();
    },
  };
}

async function startChain(chainId: number) {
  const node = await startOwnEvm({ chainId, codeSizeLimitBytes: CODE_SIZE_LIMIT_BYTES });
  const plans = Array.from({ length: WALLETS }, (_, index) => PLANS[index % PLANS.length]!);
  const addresses = await deployDevnet({ rpcUrl: node.url, chainId });
  const seeded = await seedPositions(node.url, addresses, plans);
  const { morpho } = await seedMorpho(node.url, addresses);
  const { comptroller: venus } = await seedVenus(node.url, addresses);
  const overlay = registryOverlay(addresses, { morpho, venus });
  const counting = await startCountingNode(node.url);
  const wallets = seeded.map(({ address }) => address);
  return { chainId, node, rpc: connectAnvil(node.url), overlay, counting, wallets };
}
