import { setTimeout as delay } from 'node:timers/promises';
import { percentile } from '../flow/percentile';
import { cpuMs, residentMb } from '../flow/process-usage';
import { userInstructions } from '../flow/user-instructions';
import { startClient } from './client';
import type { Contender, ContenderName, Load, Measurement } from './types';

const SETTLE_MS = 1_000;
/** Warm-up: a service runs for days, so the compilation of V8 is not part of a delivery's cost. */
const BEFORE = { messagesPerSecond: 300, ms: 10_000 };
const MOST_ON_TIME_MS = 250;

/** Connects the clients of a load, broadcasts to them, and returns the result. */
export async function runLoad(
  name: ContenderName,
  contender: Contender,
  load: Load,
): Promise<Omit<Measurement, 'round'>> {
  const { connections, messagesPerSecond, seconds, warmUpSeconds } = load;
  const { ask, begin, kill } = startClient();
  try {
    const before = contender.broadcast(BEFORE.messagesPerSecond);
    await delay(BEFORE.ms);
    await before.stop();
    const emptyMb = residentMb(contender.pid);
    await ask({ do: 'connect', target: contender.target, connections });
    await delay(SETTLE_MS);
    const fullMb = residentMb(contender.pid);
    const sending = contender.broadcast(messagesPerSecond);
    await delay(warmUpSeconds * 1_000);
    begin();
    const cpuBeforeMs = cpuMs(contender.pid);
    const counting = userInstructions(contender.pid, seconds);
    await delay(seconds * 1_000);
    const cpuUsedMs = cpuMs(contender.pid) - cpuBeforeMs;
    const response = await ask({ do: 'end' });
    const instructions = await counting;
    await sending.stop();
    if (response.is !== 'received') throw new Error('the clients did not report what they received');
    const { messages, bytes, latenciesMs } = response.received;
    const onTime = latenciesMs.filter((ms) => ms <= MOST_ON_TIME_MS).length / Math.max(1, latenciesMs.length);
    const offered = connections * messagesPerSecond * seconds;
    return {
      contender: name,
      offered,
      delivered: messages,
      deliveredPerSecond: Math.round(messages / seconds),
      shareWithin250Ms: round(Math.min(1, messages / offered) * onTime, 4),
      p50Ms: latenciesMs.length > 0 ? round(percentile(latenciesMs, 0.5), 1) : -1,
      p99Ms: latenciesMs.length > 0 ? round(percentile(latenciesMs, 0.99), 1) : -1,
      cpuUsPerDelivery: round((cpuUsedMs * 1_000) / Math.max(1, messages), 2),
      userInstructionsPerDelivery:
        instructions === null ? null : Math.round(instructions / Math.max(1, messages)),
      memoryKbPerConnection: round(((fullMb - emptyMb) * 1_024) / connections, 2),
      bytesPerMessage: Math.round(bytes / Math.max(1, messages)),
    };
  } finally {
    kill();
  }
}

const round = (value: number, digits: number): number => Number(value.toFixed(digits));
