import { dataFolder } from './start-parts';

describe('dataFolder', () => {
  it('keeps the data of genuine parts apart from those of embedded ones', () => {
    expect(dataFolder('redis', 'embedded')).toBe('redis');
    expect(dataFolder('redis', 'genuine')).toBe('redis-genuine');
    expect(dataFolder('postgres', undefined)).toBe('postgres');
  });
});
