import { IntakePressure } from './intake-pressure';

describe('IntakePressure', () => {
  it('is high while full batches arrive, and shortly afterwards', () => {
    const intakePressure = new IntakePressure();
    expect(intakePressure.isHigh(0)).toBe(false);
    intakePressure.record(249, 1_000);
    expect(intakePressure.isHigh(1_000)).toBe(false);
    intakePressure.record(250, 1_000);
    expect(intakePressure.isHigh(1_199)).toBe(true);
    intakePressure.record(500, 1_199);
    intakePressure.record(1, 1_200);
    expect(intakePressure.isHigh(1_398)).toBe(true);
    expect(intakePressure.isHigh(1_399)).toBe(false);
  });
});
