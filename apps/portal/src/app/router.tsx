import { createRootRoute, createRoute, createRouter, redirect } from '@tanstack/react-router';
import type { AccountSearch } from '../account/account-page';
import { LogInPage } from '../account/log-in-page';
import { isSignedOut, onSignedOut, queryClient, sessionQuery } from '../api/client';
import { LEVELS } from '../design/levels';
import { isLocal } from '../design/local';
import { HomePage, type HomeSearch } from '../home/home-page';
import type { KeysSearch } from '../keys/keys-page';
import { HORIZONS, type PositionSearch, type PositionsSearch, SORTS, changesOf } from '../positions/requests';
import { RECORD_HORIZONS, type RecordSearch } from '../public/requests';
import { type RequestsSearch, STATUSES } from '../requests/requests';
import { type EndpointSearch, EVENT_TYPES, PERIODS, STATES } from '../webhooks/requests';
import type { TryItSearch } from '../try-it/try-it-page';
import type { EventsSearch } from '../webhooks/events-page';
import type { WebhooksSearch } from '../webhooks/webhooks-page';
import { ACTIONS, type WhalesSearch } from '../whales/requests';
import { Failed, FailedBeforePage, NotFound } from './fallbacks';
import { later, whenIdle } from './later';
import { Shell } from './shell';

type Search = Record<string, unknown>;
const text = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);
const oneOf = <T extends string>(words: readonly T[], value: unknown): T | undefined =>
  words.find((word) => word === value);

const amount = (value: unknown): number | undefined =>
  typeof value === 'number' && Number.isFinite(value) && value >= 0 ? value : undefined;

const root = createRootRoute();

const logIn = createRoute({
  getParentRoute: () => root,
  path: '/log-in',
  validateSearch: ({ next, email }: Search): { next?: string; email?: string } => ({
    next: text(next),
    email: text(email),
  }),
  component: LogInPage,
});
const signUp = createRoute({
  getParentRoute: () => root,
  path: '/sign-up',
  component: later(() => import('../account/sign-up-page'), 'SignUpPage'),
});
const confirmEmail = createRoute({
  getParentRoute: () => root,
  path: '/confirm-email',
  component: later(() => import('../account/confirm-email-page'), 'ConfirmEmailPage'),
});
const resetPassword = createRoute({
  getParentRoute: () => root,
  path: '/reset-password',
  component: later(() => import('../account/reset-password-page'), 'ResetPasswordPage'),
});

/** For everyone. */
const status = createRoute({
  getParentRoute: () => root,
  path: '/status',
  component: later(() => import('../public/status-page'), 'StatusPage'),
});
const trackRecord = createRoute({
  getParentRoute: () => root,
  path: '/track-record',
  validateSearch: ({ horizon }: Search): RecordSearch => ({
    horizon: RECORD_HORIZONS.find((days) => days === horizon),
  }),
  component: later(() => import('../public/record-page'), 'RecordPage'),
});

/** Options of pages that need a session. Without one, the log-in leads back to them. */
const guarded = {
  beforeLoad: async ({ location }: { location: { publicHref: string } }) => {
    try {
      await queryClient.ensureQueryData(sessionQuery);
    } catch (error) {
      if (isSignedOut(error)) throw redirect({ to: '/log-in', search: { next: location.publicHref } });
      throw error;
    }
  },
  // A browser that loses its connection has every page then.
  onEnter: () => whenIdle(preloadPages),
  errorComponent: FailedBeforePage,
};
const signedIn = createRoute({
  getParentRoute: () => root,
  id: 'signed-in',
  ...guarded,
  component: Shell,
});
/** It has the whole window, without the navigation. */
const crash = createRoute({
  getParentRoute: () => root,
  path: '/crash',
  ...guarded,
  component: later(() => import('../crash/crash-page'), 'CrashPage'),
});
const home = createRoute({
  getParentRoute: () => signedIn,
  path: '/',
  validateSearch: ({ dialog }: Search): HomeSearch => ({ dialog: oneOf(['create'], dialog) }),
  component: function Home() {
    return <HomePage {...home.useSearch()} />;
  },
});
const keys = createRoute({
  getParentRoute: () => signedIn,
  path: '/keys',
  validateSearch: ({ dialog, id }: Search): KeysSearch => ({
    dialog: oneOf(['create', 'rotate', 'revoke'], dialog),
    id: text(id),
  }),
  component: later(() => import('../keys/keys-page'), 'KeysPage'),
});
const positions = createRoute({
  getParentRoute: () => signedIn,
  path: '/positions',
  validateSearch: (search: Search): PositionsSearch => ({
    dialog: oneOf(['watch'], search['dialog']),
    wallet: text(search['wallet']),
    group: text(search['group']),
    protocol: text(search['protocol']),
    chain: amount(search['chain']),
    level: oneOf(LEVELS, search['level']),
    health: amount(search['health']),
    debt: amount(search['debt']),
    sort: oneOf(SORTS, search['sort']),
  }),
  component: later(() => import('../positions/positions-page'), 'PositionsPage'),
});
const position = createRoute({
  getParentRoute: () => signedIn,
  path: '/positions/$id',
  validateSearch: ({ prices, horizon }: Search): PositionSearch => ({
    prices: changesOf(prices),
    horizon: HORIZONS.find((days) => days === horizon),
  }),
  component: later(() => import('../positions/position-page'), 'PositionPage'),
});
const whales = createRoute({
  getParentRoute: () => signedIn,
  path: '/whales',
  validateSearch: ({ view, wallet, protocol, chain, action, minUsd }: Search): WhalesSearch => ({
    view: oneOf(['clusters'], view),
    wallet: text(wallet),
    protocol: text(protocol),
    chain: amount(chain),
    action: oneOf(ACTIONS, action),
    minUsd: amount(minUsd),
  }),
  component: later(() => import('../whales/whales-page'), 'WhalesPage'),
});
const cluster = createRoute({
  getParentRoute: () => signedIn,
  path: '/whales/clusters/$id',
  component: later(() => import('../whales/cluster-page'), 'ClusterPage'),
});
/** For platforms on one machine, which have a market of their own. */
const localMarket = createRoute({
  getParentRoute: () => signedIn,
  path: '/local-market',
  component: later(() => import('../local-market/local-market-page'), 'LocalMarketPage'),
});
const webhooks = createRoute({
  getParentRoute: () => signedIn,
  path: '/webhooks',
  validateSearch: ({ dialog }: Search): WebhooksSearch => ({ dialog: oneOf(['create'], dialog) }),
  component: later(() => import('../webhooks/webhooks-page'), 'WebhooksPage'),
});
const endpoint = createRoute({
  getParentRoute: () => signedIn,
  path: '/webhooks/$id',
  validateSearch: ({ dialog, delivery, state, event, since }: Search): EndpointSearch => ({
    dialog: oneOf(['edit', 'rotate', 'delete', 'recover'], dialog),
    delivery: text(delivery),
    state: oneOf(STATES, state),
    event: oneOf(EVENT_TYPES, event),
    since: oneOf(PERIODS, since),
  }),
  component: later(() => import('../webhooks/endpoint-page'), 'EndpointPage'),
});
const events = createRoute({
  getParentRoute: () => signedIn,
  path: '/events',
  validateSearch: ({ event }: Search): EventsSearch => ({ event: oneOf(EVENT_TYPES, event) }),
  component: later(() => import('../webhooks/events-page'), 'EventsPage'),
});
const requests = createRoute({
  getParentRoute: () => signedIn,
  path: '/requests',
  validateSearch: ({ requestId, from, status, open, at }: Search): RequestsSearch => ({
    requestId: text(requestId),
    from: text(from),
    status: oneOf(STATUSES, status),
    open: text(open),
    at: text(at),
  }),
  component: later(() => import('../requests/requests-page'), 'RequestsPage'),
});
const usage = createRoute({
  getParentRoute: () => signedIn,
  path: '/usage',
  component: later(() => import('../usage/usage-page'), 'UsagePage'),
});
const tryIt = createRoute({
  getParentRoute: () => signedIn,
  path: '/try-it',
  validateSearch: ({ operation }: Search): TryItSearch => ({ operation: text(operation) }),
  component: later(() => import('../try-it/try-it-page'), 'TryItPage'),
});
const account = createRoute({
  getParentRoute: () => signedIn,
  path: '/account',
  validateSearch: ({ dialog }: Search): AccountSearch => ({ dialog: oneOf(['plan'], dialog) }),
  component: later(() => import('../account/account-page'), 'AccountPage'),
});

const PAGES = [
  positions,
  position,
  whales,
  cluster,
  keys,
  webhooks,
  endpoint,
  events,
  requests,
  usage,
  tryIt,
  account,
] as const;

function preloadPages(): void {
  for (const { options } of [...PAGES, crash]) void options.component?.preload?.();
}

/** For developers of the portal. */
const design = createRoute({
  getParentRoute: () => root,
  path: '/design',
  component: later(() => import('../design/design-page'), 'DesignPage'),
});

/** For platforms on one machine, which send no mails. */
const mail = createRoute({
  getParentRoute: () => root,
  path: '/mail',
  component: later(() => import('../account/mail-page'), 'MailPage'),
});

export const router = createRouter({
  routeTree: root.addChildren([
    logIn,
    signUp,
    confirmEmail,
    resetPassword,
    status,
    trackRecord,
    crash,
    ...(isLocal ? [design, mail] : []),
    signedIn.addChildren([home, ...PAGES, ...(isLocal ? [localMarket] : [])]),
  ]),
  basepath: '/portal',
  defaultPreload: 'intent',
  scrollRestoration: true,
  defaultNotFoundComponent: NotFound,
  defaultErrorComponent: Failed,
});

onSignedOut(() => {
  const { pathname, publicHref } = router.state.location;
  if (pathname.endsWith('/log-in')) return;
  queryClient.clear();
  void router.navigate({ to: '/log-in', search: { next: publicHref } });
});

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}
