import { parseTarget } from './ssrf-command';

describe('parseTarget', () => {
  it.each([
    [{ url: 'https://a.example/' }, { url: 'https://a.example/' }],
    [{ ip: '10.0.0.1' }, { ip: '10.0.0.1' }],
    [{ ip: 2130706433 }, { ip: '2130706433' }],
    [{ dns: ['8.8.8.8'] }, { answers: ['8.8.8.8'] }],
    [
      { host: 'a.example', answers: '8.8.8.8' },
      { url: 'https://a.example/', answers: ['8.8.8.8'] },
    ],
    [{ dns: { A: ['8.8.8.8'], AAAA: ['::1'] } }, { answers: ['8.8.8.8', '::1'] }],
    [
      {
        dns: [
          { type: 'A', data: '8.8.8.8' },
          { address: '::1', ttl: 0 },
        ],
      },
      { answers: ['8.8.8.8', '::1'] },
    ],
    [{ dns: { answers: ['8.8.8.8'] } }, { answers: ['8.8.8.8'] }],
    [
      { host: 'a.example', ip: '::1' },
      { url: 'https://a.example/', answers: ['::1'] },
    ],
    [{ dns: [] }, { answers: [] }],
    [{ note: 'nothing here' }, null],
    ['https://a.example/', null],
    [null, null],
  ])('%j is %j', (input, target) => {
    expect(parseTarget(input)).toEqual(target);
  });
});
