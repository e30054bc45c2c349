import { type RedisCheck, commands, delay, errorCodes } from './check';

export const CLIENT_CHECKS: readonly RedisCheck[] = [
  commands('SELECT of the one database', ['SELECT', 0], ['SELECT', 'x']),
  commands('PING and ECHO', ['PING'], ['PING', 'hello'], ['ECHO', 'x']),
  errorCodes('an unknown command', ['NOPE', 'a'], ['HGET', 'a'], ['GET'], ['CONFIG', 'NOPE', 'x']),
  commands('a wrong number of arguments', ['GET'], ['GET', 'a', 'b'], ['HSET', 'a', 'b'], ['SUBSCRIBE']),
  {
    name: 'TIME is the time of day',
    run: async ({ client }) => {
      const [seconds, micros] = await client.time();
      const ms = Number(seconds) * 1_000 + Number(micros) / 1_000;
      return [Math.abs(Date.now() - ms) < 1_000, Number(micros) < 1_000_000];
    },
  },
  {
    name: 'INFO states that loading is over',
    run: async ({ client }) => /^loading:0\r$/m.test(await client.info('persistence')),
  },
  commands(
    'MULTI and EXEC',
    ['MULTI'],
    ['SET', 'a', 1],
    ['INCR', 'a'],
    ['HGET', 'a', 'f'],
    ['EXEC'],
    ['GET', 'a'],
  ),
  commands('DISCARD', ['MULTI'], ['SET', 'a', 1], ['DISCARD'], ['GET', 'a'], ['DISCARD'], ['EXEC']),
  errorCodes('EXEC after a refused command', ['MULTI'], ['NOPE'], ['SET', 'a', 1], ['EXEC'], ['GET', 'a']),
  commands('MULTI within MULTI', ['MULTI'], ['MULTI'], ['DISCARD']),
  {
    name: 'nothing comes between the commands of a transaction',
    run: async ({ client, newClient }) => {
      const other = newClient();
      const transaction = client.multi();
      for (let i = 0; i < 200; i += 1) transaction.incr('a');
      const [results] = await Promise.all([
        transaction.exec(),
        ...Array.from({ length: 50 }, () => other.incr('a')),
      ]);
      const values = (results ?? []).map(([, value]) => Number(value));
      return [values.every((value, i) => i === 0 || value === values[i - 1]! + 1), await client.get('a')];
    },
  },
  {
    name: 'a pipeline keeps its order',
    run: async ({ client }) => {
      const pipeline = client.pipeline();
      for (let i = 0; i < 100; i += 1) pipeline.append('a', String(i % 10)).strlen('a');
      return (await pipeline.exec())?.map(([, value]) => value);
    },
  },
  {
    name: 'PUBLISH reaches the subscribers in order and counts them',
    run: async ({ client, newClient }) => {
      const [one, two] = [newClient(), newClient()];
      const received: string[] = [];
      one.on('message', (channel, message) => received.push(`${channel} ${message}`));
      const counts = [await one.subscribe('x', 'y'), await two.subscribe('x')];
      const receivers = [
        await client.publish('x', '1'),
        await client.publish('y', '2'),
        await client.publish('z', '3'),
      ];
      await delay(50);
      return { counts, receivers, received };
    },
  },
  {
    name: 'PSUBSCRIBE matches patterns',
    run: async ({ client, newClient }) => {
      const subscriber = newClient();
      const received: string[] = [];
      subscriber.on('pmessage', (pattern, channel, message) =>
        received.push(`${pattern} ${channel} ${message}`),
      );
      await subscriber.psubscribe('a*', '[xy]');
      await client.publish('abc', '1');
      await client.publish('y', '2');
      await client.publish('b', '3');
      await delay(50);
      return received;
    },
  },
  {
    name: 'UNSUBSCRIBE ends messages',
    run: async ({ client, newClient }) => {
      const subscriber = newClient();
      await subscriber.subscribe('x', 'y');
      const left = await subscriber.unsubscribe('x');
      return [
        left,
        await client.publish('x', '1'),
        await client.publish('y', '1'),
        await client.pubsub('NUMSUB', 'x', 'y'),
      ];
    },
  },
  {
    name: 'a subscriber that disconnected is not counted',
    run: async ({ client, newClient }) => {
      const subscriber = newClient();
      await subscriber.subscribe('x');
      subscriber.disconnect();
      await delay(100);
      return client.publish('x', '1');
    },
  },
];
