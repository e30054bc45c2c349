import type Redis from 'ioredis';
import { keyOf, type Writer } from './write-load';

/** The acknowledged writes of this writer that the server lacks. Empty when nothing is lost. */
export async function lostWrites(redis: Redis, { name, confirmed }: Writer): Promise<string[]> {
  const key = (kind: string): string => keyOf(name, kind);
  const lost: string[] = [];
  const missing = (what: string, numbers: readonly number[], isThere: (number: number) => boolean): void => {
    for (const number of numbers) if (!isThere(number)) lost.push(`${what} ${number}`);
  };

  const fields = await redis.hgetall(key('hash'));
  missing('field', confirmed.fields, (number) => fields[number] !== undefined);
  const members = new Set(await redis.zrange(key('zset'), '0', '-1'));
  missing('member', confirmed.members, (number) => members.has(`member ${number}`));

  const number = async (kind: string): Promise<number> => Number(await redis.get(key(kind)));
  if ((await number('latest')) < confirmed.latest) lost.push(`latest ${confirmed.latest}`);
  const [first, second] = [await number('first'), await number('second')];
  if (first < confirmed.scripted) lost.push(`script ${confirmed.scripted}`);
  if (first !== second) lost.push(`half a script: ${first} and ${second}`);
  const transactions = await redis.hlen(key('transactions'));
  const counted = await number('transaction-count');
  if (counted < confirmed.transacted) lost.push(`transaction ${confirmed.transacted}`);
  if (counted !== transactions) lost.push(`half a transaction: ${counted} and ${transactions}`);

  const lasting = await all(redis, 'pttl', confirmed.lasting, (each) => key(`lasting:${each}`));
  missing('lasting', confirmed.lasting, (each) => (lasting.get(each) ?? -1) > 0);
  const deleted = await all(redis, 'exists', confirmed.deleted, (each) => key(`deleted:${each}`));
  missing('deletion', confirmed.deleted, (each) => deleted.get(each) === 0);
  const ended = await all(redis, 'exists', confirmed.ended, (each) => key(`ended:${each}`));
  missing('end', confirmed.ended, (each) => ended.get(each) === 0);
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
