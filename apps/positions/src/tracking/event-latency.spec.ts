import { EventLatency } from './event-latency';

const NOW = 1_800_000_000_000;
const SECOND = NOW / 1_000;

describe('the event latency', () => {
  it('is the 95th percentile of the blocks of the last minute', () => {
    const latency = new EventLatency();
    expect(latency.of(NOW)).toBeNull();
    for (let block = 1; block <= 20; block += 1) latency.add(SECOND - block, NOW);
    expect(latency.of(NOW)).toEqual({ blocks: 20, p95Ms: 19_000 });
    latency.add(SECOND + 30, NOW + 30_500);
    expect(latency.of(NOW + 59_999)).toEqual({ blocks: 21, p95Ms: 19_000 });
    expect(latency.of(NOW + 60_000)).toEqual({ blocks: 1, p95Ms: 500 });
    expect(latency.of(NOW + 90_500)).toBeNull();
  });

  it('is 0 for a block with a time in the future', () => {
    const latency = new EventLatency();
    latency.add(SECOND + 2, NOW);
    expect(latency.of(NOW)).toEqual({ blocks: 1, p95Ms: 0 });
  });
});
