import RequestQueue from 'kafkajs/src/network/requestQueue';
import { patchTimers } from './patch-timers';

type Inflight = typeof RequestQueue.prototype.inflight;

describe('patchTimers', () => {
  const queue = (): RequestQueue =>
    new RequestQueue({ clientId: 'test', broker: 'test', maxInFlightRequests: null });
  beforeAll(() => {
    patchTimers();
    patchTimers();
  });
  afterEach(() => jest.useRealTimers());

  it('sets no timer while no request waits, even when the broker throttles', () => {
    const idle = queue();
    idle.scheduleCheckPendingRequests();
    expect(idle.throttleCheckTimeoutId).toBeNull();
    idle.throttledUntil = Date.now() + 50;
    idle.scheduleCheckPendingRequests();
    expect(idle.throttleCheckTimeoutId).toBeNull();
  });

  it.each([
    ['soon while a request waits', -1, 10],
    ['when the broker no longer throttles', 50, 50],
  ])('checks again %s', (_, throttledMs, afterMs) => {
    jest.useFakeTimers();
    const waiting = queue();
    waiting.throttledUntil = Date.now() + throttledMs;
    waiting.pending.push({});
    const check = jest.spyOn(waiting, 'checkPendingRequests').mockReturnValue();
    waiting.scheduleCheckPendingRequests();
    jest.advanceTimersByTime(afterMs - 1);
    expect(check).not.toHaveBeenCalled();
    jest.advanceTimersByTime(1);
    expect(check).toHaveBeenCalledTimes(1);
  });

  it('times out a request without a response, with one check a second while the connection is open', () => {
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

  it('checks no timeouts when they are disabled in kafkajs', () => {
    jest.useFakeTimers();
    queue().scheduleRequestTimeoutCheck();
    expect(jest.getTimerCount()).toBe(0);
  });
});
