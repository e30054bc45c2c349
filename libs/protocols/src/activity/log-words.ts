import type { ChainLog } from '@plimsoll/evm';
import { type AbiEvent, type AbiParameter, type Hex, parseAbiItem, toEventSelector } from 'viem';

/** The position of one argument of an event in a log: a topic, or a word of 32 bytes in its data. */
export type ArgumentPosition = { topic: number } | { word: number };

/** The layout of an event in logs. */
export interface EventLayout {
  topic0: Hex;
  /** Topics of such a log. Another event with the same hash may index another number of arguments. */
  topicCount: number;
  /** Bytes of data at least. */
  dataBytes: number;
  /** @throws for a name that the event does not have: an error in a table */
  positionOf(argument: string): ArgumentPosition;
}

/**
 * The layout of an event whose arguments all have a fixed size. The path of a part of a struct is like
 * `update.newPar.sign`.
 * @param signature as in Solidity, `event` in front
 */
export function eventLayout(signature: string): EventLayout {
  const event = parseAbiItem(signature as 'event E()') as AbiEvent;
  const places = new Map<string, ArgumentPosition>();
  let [topic, word] = [1, 0];
  const placeWords = ({ name = '', ...type }: AbiParameter, path: string): void => {
    if (!('components' in type)) return void places.set(path + name, { word: word++ });
    for (const part of type.components) placeWords(part, `${path}${name}.`);
  };
  for (const input of event.inputs) {
    if (input.indexed) places.set(input.name ?? '', { topic: topic++ });
    else placeWords(input, '');
  }
  return {
    topic0: toEventSelector(event),
    topicCount: topic,
    dataBytes: word * 32,
    positionOf: (argument) => {
      const place = places.get(argument);
      if (!place) throw new Error(`${event.name} has no argument ${argument}: correct the table`);
      return place;
    },
  };
}

export function fits({ topics, data }: Pick<ChainLog, 'topics' | 'data'>, layout: EventLayout): boolean {
  return topics.length === layout.topicCount && data.length >= 2 + layout.dataBytes * 2;
}

/** 64 hexadecimal digits. */
function wordAt(log: Pick<ChainLog, 'topics' | 'data'>, place: ArgumentPosition): string {
  if ('topic' in place) return (log.topics[place.topic] ?? '0x').slice(2);
  return log.data.slice(2 + place.word * 64, 2 + (place.word + 1) * 64);
}

/** The address in lower case. */
export function addressAt(log: Pick<ChainLog, 'topics' | 'data'>, place: ArgumentPosition): Hex {
  return `0x${wordAt(log, place).slice(24).toLowerCase()}`;
}

export function uintAt(log: Pick<ChainLog, 'topics' | 'data'>, place: ArgumentPosition): bigint {
  return BigInt(`0x${wordAt(log, place)}`);
}

export function hashAt(log: Pick<ChainLog, 'topics' | 'data'>, place: ArgumentPosition): Hex {
  return `0x${wordAt(log, place)}`;
}

export function intAt(log: Pick<ChainLog, 'topics' | 'data'>, place: ArgumentPosition): bigint {
  return BigInt.asIntN(256, uintAt(log, place));
}
