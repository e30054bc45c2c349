import { Logger } from '@nestjs/common';
import { PeriodicTask, type PeriodicTaskOptions, type RoundResult } from './periodic-task';

const LONG_MS = 3_600_000;

describe('PeriodicTask', () => {
  let task: PeriodicTask;
  let warn: jest.SpyInstance;

  beforeEach(() => {
    warn = jest.spyOn(Logger.prototype, 'warn').mockImplementation(() => undefined);
  });
  afterEach(async () => {
    await task.stop();
    warn.mockRestore();
  });

  /** Runs the rounds in order. Resolves when the last one begins. */
  function begun(
    rounds: ((signal: AbortSignal) => Promise<RoundResult>)[],
    options: Partial<PeriodicTaskOptions> = {},
  ): Promise<void> {
    return new Promise((resolve) => {
      const round = (signal: AbortSignal): Promise<RoundResult> => {
        const next = rounds.shift();
        if (rounds.length === 0) resolve();
        return next?.(signal) ?? Promise.resolve();
      };
      task = new PeriodicTask({ name: 'test', everyMs: LONG_MS, failure: 'tried again', round, ...options });
      task.start();
    });
  }
  const done = (): Promise<void> => Promise.resolve();
  const isMore = (): Promise<boolean> => Promise.resolve(true);
  const broken = (): Promise<void> => Promise.reject(new Error('broken'));
  const never = (): Promise<void> => new Promise(() => undefined);

  it('runs one round at the start and the next after the wait', async () => {
    await begun([done, done, done], { everyMs: 1 });
    expect(warn).not.toHaveBeenCalled();
  });

  it('runs the next round immediately when there is more to do', async () => {
    await begun([isMore, isMore, done]);
  });

  it('runs the next round when the one before states it', async () => {
    await begun([() => Promise.resolve({ nextInMs: 1 }), done]);
    expect(warn).not.toHaveBeenCalled();
  });

  it('logs a round that fails and continues after the wait', async () => {
    await begun([broken, done], { everyMs: 1 });
    expect(warn).toHaveBeenCalledWith({ msg: 'tried again', err: new Error('broken') });
  });

  it('abandons a round at its deadline and aborts its signal', async () => {
    let given: AbortSignal | undefined;
    await begun([(signal) => ((given = signal), never()), done], { everyMs: 1, deadlineMs: 20 });
    expect(given?.aborted).toBe(true);
    expect(warn).toHaveBeenCalledWith({ msg: 'tried again', err: new Error('not done within 20 ms') });
  });

  it('stops when the current round ends and begins no other', async () => {
    let finish = (): void => undefined;
    let count = 0;
    await begun([() => ((count += 1), new Promise<boolean>((resolve) => (finish = () => resolve(true))))]);
    let isStopped = false;
    const stopped = task.stop().then(() => (isStopped = true));
    await new Promise(setImmediate);
    expect(isStopped).toBe(false);
    finish();
    await stopped;
    expect(count).toBe(1);
  });

  it('aborts the current round when it stops and does not log that failure', async () => {
    await begun([
      (signal) =>
        new Promise((_resolve, reject) => {
          signal.addEventListener('abort', () => reject(new Error('stopped')));
        }),
    ]);
    await task.stop();
    expect(warn).not.toHaveBeenCalled();
  });

  it('can wait before the first round and stop during that wait', async () => {
    const round = jest.fn(done);
    task = new PeriodicTask({
      name: 'test',
      everyMs: LONG_MS,
      failure: 'tried again',
      round,
      waitsFirst: true,
    });
    task.start();
    await task.stop();
    expect(round).not.toHaveBeenCalled();
  });

  it('can start again after a stop', async () => {
    const round = jest.fn(done);
    task = new PeriodicTask({ name: 'test', everyMs: LONG_MS, failure: 'tried again', round });
    task.start();
    await task.stop();
    task.start();
    await task.stop();
    expect(round).toHaveBeenCalledTimes(2);
  });
});
