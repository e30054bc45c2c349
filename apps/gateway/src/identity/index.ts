// The interface of identity. Other folders import nothing else of it, because it becomes a service.
export { LimitedByAddress } from './api/account-door';
export { CurrentSession } from './api/account-guard';
export { AccountRoutes } from './api/account-routes';
export { ActivityGuard, SessionGuard } from './api/session.guard';
export type { Caller } from './callers/caller';
export { Identity } from './identity';
export { IdentityModule } from './identity.module';
export { NOT_RECENT, isLoopback } from './sessions/browser-session';
export { type Session, isRecent } from './sessions/sessions';
