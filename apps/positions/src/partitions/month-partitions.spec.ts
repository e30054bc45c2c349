import { monthPartition } from './month-partitions';

describe('monthPartition', () => {
  it('is the UTC month of a moment, to its last millisecond', () => {
    expect(monthPartition('position_snapshots', new Date('2026-11-30T23:59:59.999Z'))).toEqual({
      name: 'position_snapshots_2026_11',
      from: new Date('2026-11-01T00:00:00Z'),
      to: new Date('2026-12-01T00:00:00Z'),
    });
  });

  it('continues over the end of a year', () => {
    expect(monthPartition('position_snapshots', new Date('2026-12-31T12:00:00Z'), 1)).toEqual({
      name: 'position_snapshots_2027_01',
      from: new Date('2027-01-01T00:00:00Z'),
      to: new Date('2027-02-01T00:00:00Z'),
    });
  });
});
