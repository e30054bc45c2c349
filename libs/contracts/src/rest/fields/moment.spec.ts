import 'reflect-metadata';
import { validateSync } from 'class-validator';
import { IsMoment } from './moment';

class Query {
  @IsMoment()
  since!: string;
}
const isValid = (since: unknown): boolean => validateSync(Object.assign(new Query(), { since })).length === 0;

describe('IsMoment', () => {
  it.each([
    '2026-11-21',
    '2026-11-21T12:00Z',
    '2026-11-21T12:00:00Z',
    '2026-11-21T12:00:00.123Z',
    '2026-11-21T12:00:00+02:00',
  ])('accepts %s', (since) => expect(isValid(since)).toBe(true));

  it.each([
    '',
    'yesterday',
    '2026-13-01',
    '2026-11-21T12:00:00',
    '2026-W47',
    '1795262400000',
    1795262400000,
    null,
  ])('rejects %s', (since) => expect(isValid(since)).toBe(false));
});
