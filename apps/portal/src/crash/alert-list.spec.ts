import { isWorse, withAlert } from './alert-list';
import type { Alert } from './alert';

const alert = (id: string, severity: string, second: number, revision = 1, status = 'active'): Alert =>
  ({
    id,
    severity,
    status,
    revision,
    createdAt: '2026-11-28T12:00:00.000Z',
    updatedAt: `2026-11-28T12:00:0${second}.000Z`,
  }) as unknown as Alert;
const ids = (alerts: readonly Alert[]): string[] => alerts.map(({ id }) => id);

describe('active alerts with the stream', () => {
  const known = [alert('b', 'high', 2), alert('a', 'critical', 1)];

  it('have the last change first', () => {
    expect(ids(withAlert(known, alert('c', 'high', 3)))).toEqual(['c', 'b', 'a']);
    expect(ids(withAlert(known, alert('a', 'critical', 4, 2)))).toEqual(['a', 'b']);
  });

  it('have the order of the API within one moment', () => {
    const [early, late] = [alert('a', 'high', 2), alert('c', 'high', 2)];
    expect(ids(withAlert([alert('b', 'high', 2), early], late))).toEqual(['c', 'b', 'a']);
    expect(ids(withAlert([late, alert('b', 'high', 2)], early))).toEqual(['c', 'b', 'a']);
  });

  it('lose an alert that is resolved, and keep it when an earlier change comes late', () => {
    expect(ids(withAlert(known, alert('b', 'high', 3, 2, 'resolved')))).toEqual(['a']);
    expect(withAlert([alert('a', 'high', 3, 3)], alert('a', 'high', 2, 2))).toEqual([
      alert('a', 'high', 3, 3),
    ]);
  });

  it('sound for what is new or worse', () => {
    expect(isWorse(known, alert('c', 'low', 3))).toBe(true);
    expect(isWorse(known, alert('b', 'critical', 3))).toBe(true);
    expect(isWorse(known, alert('b', 'high', 3))).toBe(false);
    expect(isWorse(known, alert('c', 'critical', 3, 1, 'resolved'))).toBe(false);
  });
});
