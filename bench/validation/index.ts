import * as contracts from '@plimsoll/contracts';
import { Problem } from '@plimsoll/contracts';
import { ValidationPipe, parseJsonBody } from '@plimsoll/service-kit';
import { getMetadataStorage } from 'class-validator';

export const description = 'CPU of hostile bodies for every DTO; exits with 1 above 5 ms';

const BAR_MS = 5;
/** The largest body of the API. */
const MOST_BYTES = 1_048_576;
/** The body parser permits this many values. */
const MOST_VALUES = 2_000;
const ROUNDS = 5;

const pipe = new ValidationPipe();

type Dto = new () => object;

const sizes = [10, 100, 1_000, 1_990, 9_990, 70_000, 100_000];
const names = (count: number): object =>
  Object.fromEntries(Array.from({ length: count }, (_, at) => [`n${at}`, 0]));
const list = (count: number): string[] => Array.from({ length: count }, (_, at) => `i${at}`);
const nested = (levels: number): unknown => (levels === 0 ? {} : { a: nested(levels - 1) });

/** Classes of contracts with rules of the validator. */
const dtos = (): Dto[] =>
  Object.values(contracts).filter(
    (each): each is Dto =>
      typeof each === 'function' &&
      getMetadataStorage().getTargetValidationMetadatas(each, '', false, false).length > 0,
  );

const fieldsOf = (dto: Dto): string[] => [
  ...new Set(
    getMetadataStorage()
      .getTargetValidationMetadatas(dto, '', false, false)
      .map(({ propertyName }) => propertyName),
  ),
];

/** Hostile bodies of a class by name. */
function bodiesOf(dto: Dto): [string, object][] {
  const fields = fieldsOf(dto);
  return [
    ...sizes.map((count): [string, object] => [`${count} unknown names`, names(count)]),
    ...fields.flatMap((field): [string, object][] => [
      [`${field}: a list of ${MOST_VALUES - 10}`, { [field]: list(MOST_VALUES - 10) }],
      [`${field}: a list of objects`, { [field]: list(MOST_VALUES / 2 - 10).map(() => ({ a: 1 })) }],
      [`${field}: ${MOST_VALUES - 10} names`, { [field]: names(MOST_VALUES - 10) }],
      [`${field}: a list of one object of many names`, { [field]: [names(MOST_VALUES - 10)] }],
      [`${field}: 30 levels`, { [field]: nested(30) }],
      [`${field}: a text of 900 KB`, { [field]: 'a'.repeat(900_000) }],
    ]),
  ];
}

/** Parses and validates a body as a service does. The body parser may reject it before the validator. */
async function receive(text: string, dto: Dto): Promise<void> {
  try {
    await pipe.transform(parseJsonBody(text), { type: 'body', metatype: dto });
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
  }
}

/** Returns the least CPU milliseconds of several rounds, which other work of the machine disturbs least. */
async function cpuMs(text: string, dto: Dto): Promise<number> {
  let least = Infinity;
  for (let round = 0; round < ROUNDS; round += 1) {
    const before = process.cpuUsage();
    await receive(text, dto);
    const { user, system } = process.cpuUsage(before);
    least = Math.min(least, (user + system) / 1_000);
  }
  return least;
}

/** Parses and validates every permitted body for every class. */
export async function run(): Promise<object> {
  const results: { dto: string; body: string; cpuMs: number }[] = [];
  // V8 compiles the code before the first figure.
  const warm = JSON.stringify(names(MOST_VALUES - 10));
  for (const dto of dtos()) await receive(warm, dto);
  for (const dto of dtos()) {
    for (const [body, value] of bodiesOf(dto)) {
      const text = JSON.stringify(value);
      if (text.length <= MOST_BYTES) results.push({ dto: dto.name, body, cpuMs: await cpuMs(text, dto) });
    }
  }
  results.sort((a, b) => b.cpuMs - a.cpuMs);
  const slowest = results.slice(0, 10).map((each) => ({ ...each, cpuMs: Number(each.cpuMs.toFixed(2)) }));
  const passed = results.every((each) => each.cpuMs <= BAR_MS);
  return { classes: dtos().length, bodies: results.length, barMs: BAR_MS, slowest, passed };
}
