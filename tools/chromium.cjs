// Whether the tests of the portal find a Chromium on this machine (test/portal/portal-browser.ts).
const { existsSync } = require('node:fs');
const path = require('node:path');

/** Where Chrome is installed by default. */
const CHROME = {
  darwin: ['/Applications/Google Chrome.app/Contents/MacOS/Google Chrome'],
  win32: [process.env.PROGRAMFILES, process.env['PROGRAMFILES(X86)'], process.env.LOCALAPPDATA].map(
    (folder) => path.join(folder ?? '', 'Google/Chrome/Application/chrome.exe'),
  ),
};

/** Linux has the Chromium of an npm package. */
function hasChromium(platform = process.platform, exists = existsSync) {
  if (platform === 'linux') return true;
  return (CHROME[platform] ?? []).some((file) => exists(file));
}

module.exports = { hasChromium };
