import { outgoing } from '@plimsoll/event-bus';
import { findFreePort, workspaceRoot } from '@plimsoll/local-parts';
import {
  createTestFolder,
  startOwnKafka,
  startOwnPostgres,
  startPublisher,
  testIdentityKeys,
} from '@plimsoll/testing';
import { sampleCovariance, sampleHistory, samplePosition } from '../../apps/simulation/test/samples';
import { startTestPositions } from '../../apps/simulation/test/test-positions';
import { startService } from '../../test/platform/service-process';
import { buildApps } from '../../tools/local-stack/services/build';
import { stackPaths } from '../../tools/local-stack/settings/stack-paths';

const SYMBOLS = ['ETH', 'BTC', 'LINK', 'USDC'];

/** The built service over its own Kafka, with positions from a server of this process. */
export interface SimulationService {
  url: string;
  operationsUrl: string;
  positionId: string;
  identityKeys: string;
  stop(): Promise<void>;
}

/** The price history is published. The service may not have read it yet. */
export async function startSimulation(): Promise<SimulationService> {
  await buildApps(stackPaths(workspaceRoot()));
  const closers: (() => Promise<unknown>)[] = [];
  const stop = async (): Promise<void> => {
    for (const close of closers.splice(0).toReversed()) await close();
  };
  const onStop = (close: () => Promise<unknown>): void => void closers.push(close);
  try {
    return { ...(await start(onStop)), stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function start(
  onStop: (close: () => Promise<unknown>) => void,
): Promise<Omit<SimulationService, 'stop'>> {
  const folder = await createTestFolder();
  onStop(() => folder.remove());
  const postgres = await startOwnPostgres('plimsoll');
  onStop(() => postgres.dispose());
  const kafka = await startOwnKafka();
  onStop(() => kafka.dispose());
  const positions = await startTestPositions();
  onStop(() => positions.close());
  const identityKeys = testIdentityKeys();
  const service = await startService(
    'simulation',
    {
      databaseUrl: postgres.url,
      redisUrl: '',
      kafkaBrokers: kafka.url,
      rpcUrls: new Map(),
      registryOverlay: '',
      ports: new Map([
        ['simulation', await findFreePort()],
        ['positions', Number(new URL(positions.origin).port)],
      ]),
      secrets: { identityKeys, webhookSecretKeys: '' },
    },
    folder.path,
    { LOG_LEVEL: 'warn' },
  );
  onStop(() => service.stop());
  const publisher = await startPublisher(postgres.url, { brokers: [kafka.url], topicPrefix: '' });
  onStop(() => publisher.stop());
  const histories = SYMBOLS.map((symbol) => outgoing('price-history.v1', sampleHistory(symbol)));
  await publisher.publish(...histories, outgoing('covariance.v1', sampleCovariance(SYMBOLS)));
  const held = samplePosition('bench', { WETH: 10, WBTC: 0.2, LINK: 500 }, { USDC: 35_000 });
  positions.positions.set(held.id, held);
  const { url, operationsUrl } = service;
  return { url, operationsUrl, positionId: held.id, identityKeys };
}
