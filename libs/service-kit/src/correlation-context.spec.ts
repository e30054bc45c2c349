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
});
