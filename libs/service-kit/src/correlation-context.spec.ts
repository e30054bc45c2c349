import { isRequestId, isTraceparent } from '@plimsoll/contracts';
import { continueCorrelation, currentCorrelation, withCorrelation } from './correlation-context';

const traceparent = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-00';

describe('correlation', () => {
  it('keeps request id, trace id and flags, and creates a new span', () => {
    const next = continueCorrelation('r-1', traceparent);
    expect(next.requestId).toBe('r-1');
    expect(next.traceparent.slice(0, 35)).toBe(traceparent.slice(0, 35));
    expect(next.traceparent.slice(52)).toBe('-00');
    expect(next.traceparent).not.toBe(traceparent);
  });

  it('generates values that are missing or malformed', () => {
    const next = continueCorrelation('a b', 'nonsense');
    expect(isRequestId(next.requestId)).toBe(true);
    expect(isTraceparent(next.traceparent)).toBe(true);
  });

  it('is visible only within its own work', async () => {
    await withCorrelation({ requestId: 'inner' }, async () => {
      await Promise.resolve();
      expect(currentCorrelation().requestId).toBe('inner');
    });
    expect(currentCorrelation()).toEqual({});
  });

  it('stays with asynchronous work while other work ends', async () => {
    const seen = await Promise.all(
      ['one', 'two', 'three'].map((requestId, turns) =>
        withCorrelation({ requestId }, async () => {
          for (let i = 0; i <= turns; i += 1) await new Promise(setImmediate);
          return currentCorrelation().requestId;
        }),
      ),
    );
    expect(seen).toEqual(['one', 'two', 'three']);
  });

  it('follows work that outlives the request', async () => {
    const later: Promise<string | undefined>[] = [];
    withCorrelation({ requestId: 'background' }, () => {
      later.push(new Promise(setImmediate).then(() => currentCorrelation().requestId));
    });
    await expect(later[0]).resolves.toBe('background');
    expect(currentCorrelation()).toEqual({});
  });

  it('ends with work that fails', async () => {
    const failing = withCorrelation({}, () => Promise.reject(new Error('no')));
    await expect(failing).rejects.toThrow('no');
    expect(() =>
      withCorrelation({}, () => {
        throw new Error('at once');
      }),
    ).toThrow('at once');
    expect(currentCorrelation()).toEqual({});
  });
});
