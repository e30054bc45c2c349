import { isRequestId, isTraceparent } from '@plimsoll/contracts';
import { continueCorrelation, currentCorrelation, withCorrelation } from './correlation-context';

const traceparent = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-00';

describe('correlation', () => {
  it('keeps request id, trace id and flags, with a span of its own', () => {
    const next = continueCorrelation('r-1', traceparent);
    expect(next.requestId).toBe('r-1');
    expect(next.traceparent.slice(0, 35)).toBe(traceparent.slice(0, 35));
    expect(next.traceparent.slice(52)).toBe('-00');
    expect(next.traceparent).not.toBe(traceparent);
  });

  it('makes what is missing or malformed', () => {
    const next = continueCorrelation('a b', 'nonsense');
    expect(isRequestId(next.requestId)).toBe(true);
    expect(isTraceparent(next.traceparent)).toBe(true);
  });

  it('holds within its own work alone', async () => {
    await withCorrelation({ requestId: 'inner' }, async () => {
      await Promise.resolve();
      expect(currentCorrelation().requestId).toBe('inner');
    });
    expect(currentCorrelation()).toEqual({});
  });

  it('stays with work of several turns, beside others that end before', async () => {
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

  it('follows work that outlives the call', async () => {
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
