/** Pages of the navigation, in its order. */
export const PAGES = [
  ['/', 'Home'],
  ['/keys', 'Keys'],
  ['/webhooks', 'Webhooks'],
  ['/events', 'Events'],
  ['/requests', 'Requests'],
  ['/usage', 'Usage'],
  ['/try-it', 'Try it'],
] as const;
