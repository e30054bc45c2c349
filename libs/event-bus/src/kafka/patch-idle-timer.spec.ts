import RequestQueue from 'kafkajs/src/network/requestQueue';
import { patchKafkajsIdleTimer } from './patch-idle-timer';

type Inflight = typeof RequestQueue.prototype.inflight;

describe('patchKafkajsIdleTimer', () => {
  const queue = (): RequestQueue =>
    new RequestQueue({ clientId: 'test', broker: 'test', maxInFlightRequests: null });
  beforeAll(() => {
    patchKafkajsIdleTimer();
    patchKafkajsIdleTimer();
  });
  afterEach(() => jest.useRealTimers());

  it('sets no timer while no request waits', () => {
    const idle = queue();
    idle.scheduleCheckPendingRequests();
    expect(idle.throttleCheckTimeoutId).toBeNull();
  });

  it('checks again while a request waits or the broker throttles', () => {
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
