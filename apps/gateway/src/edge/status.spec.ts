import { conditionOf } from './status';

describe('conditionOf', () => {
  it('is operational when all parts are, down when none is, otherwise degraded', () => {
    expect(conditionOf(['operational', 'operational'])).toBe('operational');
    expect(conditionOf(['operational', 'down'])).toBe('degraded');
    expect(conditionOf(['degraded', 'down'])).toBe('degraded');
    expect(conditionOf(['down', 'down'])).toBe('down');
  });
});
