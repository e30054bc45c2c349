import RequestQueue from 'kafkajs/src/network/requestQueue';
import { restWhenIdle } from './rest-when-idle';

type Inflight = typeof RequestQueue.prototype.inflight;

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

  it('ends a request that had no answer in time, looking once a second for as long as there is a connection', () => {
    jest.useFakeTimers();
    let connected = true;
    const busy = new RequestQueue({
      clientId: 'test',
      broker: 'test',
      maxInFlightRequests: null,
      enforceRequestTimeout: true,
      isConnected: () => connected,
    });
    const ended: number[] = [];
    const request = (id: number, requestTimeout: number): Parameters<Inflight['set']> => [
      id,
      {
        sentAt: Date.now(),
        requestTimeout,
        timeoutRequest: () => busy.inflight.delete(id) && ended.push(id),
      },
    ];
    busy.inflight.set(...request(1, 1_500));
    busy.inflight.set(...request(2, 10_000));
    busy.scheduleRequestTimeoutCheck();
    jest.advanceTimersByTime(1_999);
    expect(ended).toEqual([]);
    jest.advanceTimersByTime(1);
    expect(ended).toEqual([1]);
    expect(jest.getTimerCount()).toBe(1);
    connected = false;
    jest.advanceTimersByTime(1_000);
    expect(jest.getTimerCount()).toBe(0);
    expect(ended).toEqual([1]);
  });

  it('looks for no such request where kafkajs is told not to', () => {
    jest.useFakeTimers();
    queue().scheduleRequestTimeoutCheck();
    expect(jest.getTimerCount()).toBe(0);
  });
});
