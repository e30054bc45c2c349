import RequestQueue from 'kafkajs/src/network/requestQueue';
import { restWhenIdle } from './rest-when-idle';

describe('restWhenIdle', () => {
  const queue = (): RequestQueue =>
    new RequestQueue({ clientId: 'test', broker: 'test', maxInFlightRequests: null });
  beforeAll(() => {
    restWhenIdle();
    restWhenIdle();
  });
  afterEach(() => jest.useRealTimers());

  it('sets no timer while nothing waits', () => {
    const idle = queue();
    idle.scheduleCheckPendingRequests();
    expect(idle.throttleCheckTimeoutId).toBeNull();
  });

  it('looks again while a request waits, or the broker throttles', () => {
    jest.useFakeTimers();
    const waiting = queue();
    waiting.pending.push({});
    waiting.scheduleCheckPendingRequests();
    expect(waiting.throttleCheckTimeoutId).not.toBeNull();
    const throttled = queue();
    throttled.throttledUntil = Date.now() + 50;
    throttled.scheduleCheckPendingRequests();
    expect(throttled.throttleCheckTimeoutId).not.toBeNull();
  });
});
