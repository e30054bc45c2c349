import type Redis from 'ioredis';
import { keyOf, type Writer } from './write-load';

/** What the server does not hold although it acknowledged it to this writer; empty when nothing is lost. */
export async function lostWrites(redis: Redis, { name, told }: Writer): Promise<string[]> {
  const key = (kind: string): string => keyOf(name, kind);
  const lost: string[] = [];
  const missing = (what: string, numbers: readonly number[], isThere: (number: number) => boolean): void => {
    for (const number of numbers) if (!isThere(number)) lost.push(`${what} ${number}`);
  };

  const fields = await redis.hgetall(key('hash'));
  missing('field', told.fields, (number) => fields[number] !== undefined);
  const members = new Set(await redis.zrange(key('zset'), '0', '-1'));
  missing('member', told.members, (number) => members.has(`member ${number}`));

  const number = async (kind: string): Promise<number> => Number(await redis.get(key(kind)));
  if ((await number('latest')) < told.latest) lost.push(`latest ${told.latest}`);
  const [first, second] = [await number('first'), await number('second')];
  if (first < told.scripted) lost.push(`script ${told.scripted}`);
  if (first !== second) lost.push(`half a script: ${first} and ${second}`);
  const transactions = await redis.hlen(key('transactions'));
  const counted = await number('transaction-count');
  if (counted < told.transacted) lost.push(`transaction ${told.transacted}`);
  if (counted !== transactions) lost.push(`half a transaction: ${counted} and ${transactions}`);

  const lasting = await all(redis, 'pttl', told.lasting, (each) => key(`lasting:${each}`));
  missing('lasting', told.lasting, (each) => (lasting.get(each) ?? -1) > 0);
  const deleted = await all(redis, 'exists', told.deleted, (each) => key(`deleted:${each}`));
  missing('deletion', told.deleted, (each) => deleted.get(each) === 0);
  const ended = await all(redis, 'exists', told.ended, (each) => key(`ended:${each}`));
  missing('end', told.ended, (each) => ended.get(each) === 0);
  return lost;
}

/** The reply of one command for each number. */
async function all(
  redis: Redis,
  command: 'exists' | 'pttl',
  numbers: readonly number[],
  keyFor: (number: number) => string,
): Promise<Map<number, number>> {
  const pipeline = redis.pipeline();
  for (const number of numbers) pipeline[command](keyFor(number));
  const replies = (await pipeline.exec()) ?? [];
  return new Map(numbers.map((number, at) => [number, Number(replies[at]?.[1])]));
}
