/** Whether the platform runs on this machine, where `npm start` serves pages for developers. */
export const isLocal = /^(localhost|127(\.\d+){3}|\[::1\])$/.test(location.hostname);
