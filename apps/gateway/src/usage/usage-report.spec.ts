import { usageReport } from './usage-report';

const now = new Date('2026-11-21T23:59:59.999Z');
const quota = { requestsPerMinute: 60, requestsPerDay: 100_000 };

describe('usageReport', () => {
  it('has 30 days, today first, and sums by endpoint', () => {
    const report = usageReport(
      quota,
      [
        { date: '2026-11-21', endpoint: 'GET /v1/alerts', calls: 2 },
        { date: '2026-11-21', endpoint: 'GET /v1/positions', calls: 3 },
        { date: '2026-10-23', endpoint: 'GET /v1/alerts', calls: 5 },
      ],
      now,
    );
    expect(report.days).toHaveLength(30);
    expect(report.days[0]).toEqual({
      date: '2026-11-21',
      calls: 5,
      endpoints: [
        { endpoint: 'GET /v1/positions', calls: 3 },
        { endpoint: 'GET /v1/alerts', calls: 2 },
      ],
    });
    expect(report.days[1]).toEqual({ date: '2026-11-20', calls: 0, endpoints: [] });
    expect(report.days[29]).toMatchObject({ date: '2026-10-23', calls: 5 });
    expect(report).toMatchObject({
      quota,
      calls: 10,
      endpoints: [
        { endpoint: 'GET /v1/alerts', calls: 7 },
        { endpoint: 'GET /v1/positions', calls: 3 },
      ],
    });
  });
});
