import { dayPartition } from './time-partitions';

describe('dayPartition', () => {
  it('is the UTC day of a moment, over the end of a month', () => {
    const at = new Date('2026-11-30T23:59:59.999Z');
    expect(dayPartition('receipts', at)).toEqual({
      name: 'receipts_2026_11_30',
      from: new Date('2026-11-30T00:00:00Z'),
      to: new Date('2026-12-01T00:00:00Z'),
    });
    expect(dayPartition('receipts', at, 1)).toEqual({
      name: 'receipts_2026_12_01',
      from: new Date('2026-12-01T00:00:00Z'),
      to: new Date('2026-12-02T00:00:00Z'),
    });
  });
});
