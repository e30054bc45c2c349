import { readFile, stat } from 'node:fs/promises';
import type { ReplayCommand } from '../arguments';
import { type Control, postOrder } from '../market/control-client';
import type { ReplayLine } from '../market/control-server';
import type { ReplayStep } from '../market/market';
import { parsePricePath } from '../market/price-path';
import { UsageError } from '../settings/usage-error';

const MOST_BYTES = 4_194_304;
/** The launcher sends a line every five seconds. */
const SILENCE_MS = 30_000;
/** Where the output is no terminal, it has a line for each such part of the path. */
const PART_PERCENT = 10;

/** Replays the path of a file, and prints its progress. It ends with this process. @throws UsageError */
export async function runReplay(control: Control, command: ReplayCommand): Promise<void> {
  const { file, speed, isRelative, json } = command;
  const path = parsePricePath(await readText(file), file);
  const quiet = new AbortController();
  let silence = setTimeout(() => quiet.abort(), SILENCE_MS);
  const response = await postOrder(control, { action: 'replay', path, speed, isRelative }, quiet.signal);
  if (!response.ok || !response.body)
    throw new UsageError(((await response.json()) as { error: string }).error, 'No price was moved');
  const print = json ? printJson : textPrinter();
  try {
    for await (const line of linesOf(response.body)) {
      clearTimeout(silence);
      silence = setTimeout(() => quiet.abort(), SILENCE_MS);
      if ('error' in line) throw new UsageError(line.error, 'Prices stay as they are');
      print(line);
    }
  } finally {
    clearTimeout(silence);
  }
}

async function readText(file: string): Promise<string> {
  const { size } = await stat(file).catch(() => {
    throw new UsageError(`${file} cannot be read`, 'Name a file with a price path');
  });
  if (size > MOST_BYTES) throw new UsageError(`${file} is larger than 4 MiB`, 'Shorten the path');
  return readFile(file, 'utf8');
}

async function* linesOf(body: ReadableStream<Uint8Array>): AsyncGenerator<ReplayLine> {
  let rest = '';
  const decoder = new TextDecoder();
  for await (const chunk of body) {
    const lines = `${rest}${decoder.decode(chunk, { stream: true })}`.split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) yield JSON.parse(line) as ReplayLine;
  }
}

/** A line of JSON for each move, and one for the end. */
function printJson(line: ReplayLine): void {
  if (!('isAlive' in line)) console.log(JSON.stringify(line));
}

/** On a terminal, one line that changes. */
function textPrinter(): (line: ReplayLine) => void {
  let part = -1;
  return (line) => {
    if ('isWhole' in line) {
      if (process.stdout.isTTY) process.stdout.write('\n');
      console.log(
        line.isWhole ? 'The replay is over. The market moves.' : 'The replay was stopped. The market moves.',
      );
    }
    if (!('point' in line)) return;
    if (process.stdout.isTTY) {
      process.stdout.write(`\r\u001b[K${stepText(line)}`);
      return;
    }
    const next = Math.floor(percentOf(line) / PART_PERCENT);
    if (next > part) console.log(stepText(line));
    part = Math.max(part, next);
  };
}

const percentOf = ({ seconds, ofSeconds }: ReplayStep): number =>
  ofSeconds === 0 ? 100 : (seconds / ofSeconds) * 100;

function stepText(step: ReplayStep): string {
  const [first] = step.changes;
  const prices = step.changes
    .filter(({ chainId }) => chainId === first?.chainId)
    .map(({ symbol, usd }) => `${symbol} ${usd}`);
  const block = first ? ` USD, block ${first.blockNumber} of chain ${first.chainId}` : 'no change';
  return `${step.seconds} of ${step.ofSeconds} s (${Math.floor(percentOf(step))} %): ${prices.join(', ')}${block}`;
}
