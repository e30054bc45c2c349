const { hasChromium } = require('./chromium.cjs') as {
  hasChromium(platform: string, exists: () => boolean): boolean;
};

describe('hasChromium', () => {
  it('is true on Linux, and elsewhere with an installed Chrome', () => {
    const [none, all] = [() => false, () => true];
    expect([hasChromium('linux', none), hasChromium('darwin', all), hasChromium('win32', all)]).toEqual([
      true,
      true,
      true,
    ]);
    expect([hasChromium('darwin', none), hasChromium('win32', none), hasChromium('aix', all)]).toEqual([
      false,
      false,
      false,
    ]);
  });
});
