import { parseHolder, takenPortError } from './port-conflict';

describe('takenPortError', () => {
  it('names the port, the process that holds it and the next step', () => {
    const error = takenPortError(4000, 'node (pid 12)');
    expect(error.message).toBe('port 4000 is taken by node (pid 12)');
    expect(error.nextStep).toContain('PORT=4100 npm start');
  });

  it('omits an unknown process', () => {
    expect(takenPortError(65_535, undefined).nextStep).toContain('PORT=4100');
  });
});

describe('parseHolder', () => {
  it('reads lsof and ss', () => {
    expect(parseHolder('p12\ncnode\n')).toBe('node (pid 12)');
    expect(parseHolder('LISTEN 0 511 127.0.0.1:4000 0.0.0.0:* users:(("node",pid=12,fd=18))')).toBe(
      'node (pid 12)',
    );
    expect(parseHolder('LISTEN 0 511 127.0.0.1:4000 0.0.0.0:*')).toBeUndefined();
  });
});
