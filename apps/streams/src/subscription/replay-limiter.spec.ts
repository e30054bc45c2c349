import { LIMITS } from '../limits';
import { StreamLog } from '../log/stream-log';
import { ReplayLimiter } from './replay-limiter';

describe('ReplayLimiter', () => {
  const begun = (): StreamLog => {
    const log = new StreamLog('alerts', 1_000, 0, 1_000_000);
    log.begin(0, 0);
    return log;
  };
  const append = (log: StreamLog, offset: number): void => {
    const subject = { position: null, severity: 'high' } as const;
    const event = { partition: 0, offset, id: `evt_${offset}`, timeMs: offset, accountId: 'acc_1' };
    log.append({ ...event, isForAll: false, subject, body: '{}' });
  };

  it('end, and start again for a connection that resumes at an earlier offset', () => {
    const seeks = new ReplayLimiter(begun());
    for (let at = 0; at < LIMITS.seeksToCatchUp; at += 1) expect(seeks.mayBegin({ rewinds: 1 })).toBe(true);
    expect(seeks.mayBegin({ rewinds: 1 })).toBe(false);
    expect(seeks.mayBegin({ rewinds: 2 })).toBe(true);
  });

  it('hold the events from their beginning to the offset of the connection, until they end', () => {
    const log = begun();
    const seeks = new ReplayLimiter(log);
    append(log, 0);
    expect(log.starts).toEqual([1]);
    seeks.mayBegin({ rewinds: 1 });
    for (let offset = 1; offset < 10; offset += 1) append(log, offset);
    expect(log.starts).toEqual([1]);
    seeks.reached([5]);
    append(log, 10);
    expect(log.starts).toEqual([5]);
    seeks.end();
    append(log, 11);
    expect(log.starts).toEqual([12]);
  });
});
