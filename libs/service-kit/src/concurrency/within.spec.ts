import { setTimeout as delay } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { signalWithin, within } from './within';

const late = (): Error => new Error('late');

describe('within', () => {
  afterEach(() => jest.useRealTimers());

  it('returns the result of the work and leaves no timer', async () => {
    jest.useFakeTimers();
    await expect(within(1_000, Promise.resolve(7), late)).resolves.toBe(7);
    await expect(within(1_000, Promise.reject(new Error('failed')), late)).rejects.toThrow('failed');
    expect(jest.getTimerCount()).toBe(0);
  });

  it('rejects when the work takes longer and ignores its later end', async () => {
    const unhandled = jest.fn();
    process.on('unhandledRejection', unhandled);
    let fail: (error: Error) => void = () => undefined;
    const work = new Promise((_resolve, reject) => (fail = reject));
    await expect(within(1, work, late)).rejects.toThrow('late');
    fail(new Error('no caller waits for this'));
    await delay(10);
    process.off('unhandledRejection', unhandled);
    expect(unhandled).not.toHaveBeenCalled();
  });
});

describe('signalWithin', () => {
  it('aborts with the signal', () => {
    const outer = new AbortController();
    const signal = signalWithin(1_000, outer.signal);
    outer.abort();
    expect(signal.aborted).toBe(true);
  });

  it('aborts at the deadline although only a listener refers to it', async () => {
    setFlagsFromString('--expose-gc');
    const collectGarbage = runInNewContext('gc') as () => void;
    const outer = new AbortController();
    const listen = (): Promise<unknown> => {
      const signal = signalWithin(100, outer.signal);
      return new Promise((resolve) => {
        signal.addEventListener('abort', () => resolve((signal.reason as Error).name), { once: true });
      });
    };
    const aborted = listen();
    await delay(20);
    for (let round = 0; round < 3; round += 1) collectGarbage();
    await expect(aborted).resolves.toBe('TimeoutError');
  });
});
