import { apis, type Api } from '@plimsoll/local-broker';
import { ensure, type Check } from '../check';
import { rawClient } from './helpers';

/** The versions that kafkajs 2.2.4 picks. */
const KAFKAJS_VERSIONS: [key: number, version: number][] = [
  [0, 7],
  [1, 11],
  [2, 3],
  [3, 6],
  [8, 5],
  [9, 4],
  [10, 2],
  [11, 5],
  [12, 3],
  [13, 3],
  [14, 3],
  [15, 2],
  [16, 2],
  [18, 2],
  [19, 3],
  [20, 1],
  [21, 1],
  [22, 1],
  [32, 2],
  [33, 1],
  [37, 1],
  [42, 1],
];

const NO_SOFTWARE = { clientSoftwareName: 'conformance', clientSoftwareVersion: '1' };
const ANY_TOPIC = { allowAutoTopicCreation: false };

export const clusterChecks: readonly Check[] = [
  {
    name: 'ApiVersions: every version that kafkajs picks is supported',
    run: async (context) => {
      const client = await rawClient(context);
      const { apiKeys } = await client.request(apis.apiVersions, 2, NO_SOFTWARE);
      const missing = KAFKAJS_VERSIONS.filter(
        ([key, version]) =>
          !apiKeys.some(
            (api) => api.apiKey === key && api.minVersion <= version && api.maxVersion >= version,
          ),
      );
      ensure(missing.length === 0, `missing: ${JSON.stringify(missing)}`);
      return missing;
    },
  },
  {
    name: 'ApiVersions: the flexible version 3',
    run: async (context) => {
      const { errorCode } = await (await rawClient(context)).request(apis.apiVersions, 3, NO_SOFTWARE);
      return errorCode;
    },
  },
  {
    name: 'ApiVersions: an unsupported version gets UNSUPPORTED_VERSION in version 0',
    run: async (context) => {
      const client = await rawClient(context);
      client.sendBody(18, 99, Buffer.from([0, 1, 1, 0]));
      const { errorCode, apiKeys } = await client.response(apis.apiVersions, 0);
      return { errorCode, keys: apiKeys.map(({ apiKey }) => apiKey) };
    },
  },
  {
    name: 'a connection continues after an unsupported version of ApiVersions',
    run: async (context) => {
      const client = await rawClient(context);
      client.sendBody(18, 99, Buffer.from([0, 1, 1, 0]));
      await client.frame();
      return (await client.request(apis.apiVersions, 2, NO_SOFTWARE)).errorCode;
    },
  },
  closes('an unsupported version of Metadata', (client) => client.sendBody(3, 99, Buffer.alloc(20))),
  closes('an unsupported version of Produce', (client) => client.sendBody(0, 99, Buffer.alloc(20))),
  closes('an unknown API', (client) => client.sendBody(999, 0, Buffer.alloc(20))),
  closes('a negative size', (client) => client.sendBytes(Buffer.from([0xff, 0xff, 0xff, 0xff]))),
  closes('a size beyond every limit', (client) => client.sendBytes(Buffer.from([0x7f, 0xff, 0xff, 0xff]))),
  closes('a body that is cut off', (client) => client.sendBody(3, 6, Buffer.from([0, 0, 0, 9]))),
  {
    name: 'requests of one connection get responses in their order',
    run: async (context) => {
      const client = await rawClient(context);
      for (let left = 20; left > 0; left -= 1) {
        client.send(apis.metadata as Api<unknown, unknown>, 6, { topics: [], ...ANY_TOPIC });
      }
      const ids: number[] = [];
      for (let left = 20; left > 0; left -= 1) ids.push((await client.frame()).correlationId);
      return ids;
    },
  },
  {
    name: 'a request in pieces gets a response',
    run: async (context) => {
      const client = await rawClient(context);
      const whole = Buffer.from([0, 0, 0, 14, 0, 18, 0, 0, 0, 0, 0, 7, 0, 4, 116, 101, 115, 116]);
      for (const byte of whole) {
        client.sendBytes(Buffer.from([byte]));
        await new Promise((resolve) => setTimeout(resolve, 2));
      }
      return (await client.frame()).correlationId;
    },
  },
  {
    name: 'Metadata: one broker, which is the controller, at the address of the part',
    run: async (context) => {
      const client = await rawClient(context);
      const { brokers, controllerId, clusterId } = await client.request(apis.metadata, 6, {
        topics: [],
        ...ANY_TOPIC,
      });
      const addresses = brokers.map(({ host, port }) => `${host}:${port}`);
      ensure(addresses.join() === context.address, `brokers at ${addresses.join()}`);
      return {
        brokers: brokers.length,
        controller: controllerId === brokers[0]?.nodeId,
        clusterId: clusterId?.length,
      };
    },
  },
  {
    name: 'Metadata: unknown and invalid topics, which it does not create',
    run: async (context) => {
      const client = await rawClient(context);
      const ask = async (name: string) => {
        const { topics } = await client.request(apis.metadata, 6, {
          topics: [name],
          allowAutoTopicCreation: true,
        });
        return topics.map(({ errorCode, partitions }) => [errorCode, partitions.length]);
      };
      const missing = context.name('missing');
      return [await ask(missing), await ask(missing), await ask('not a name'), await ask('..')];
    },
  },
  {
    name: 'FindCoordinator: the one broker for groups and for transactions',
    run: async (context) => {
      const client = await rawClient(context);
      const find = async (keyType: number) => {
        for (;;) {
          const found = await client.request(apis.findCoordinator, 2, { key: context.name('key'), keyType });
          // COORDINATOR_NOT_AVAILABLE: a genuine broker creates its internal topics first.
          if (found.errorCode !== 15)
            return [found.errorCode, `${found.host}:${found.port}` === context.address];
          await new Promise((resolve) => setTimeout(resolve, 100));
        }
      };
      return [await find(0), await find(1)];
    },
  },
];

function closes(what: string, send: (client: Awaited<ReturnType<typeof rawClient>>) => void): Check {
  return {
    name: `${what} ends the connection`,
    run: async (context) => {
      const client = await rawClient(context);
      send(client);
      ensure(await client.isClosedByBroker(), 'the connection is still open');
      return (await (await rawClient(context)).request(apis.apiVersions, 2, NO_SOFTWARE)).errorCode;
    },
  };
}
