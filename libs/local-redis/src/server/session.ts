import { wrongArity } from '../commands/command';
import {
  MapReply,
  OK,
  type ProtocolVersion,
  Push,
  RedisError,
  type Reply,
  SimpleString,
} from '../resp/reply';
import { type LuaEngine } from '../scripting/lua-engine';
import { Scripts, keysAndArguments } from '../scripting/scripts';
import { PubSub, type Subscriber } from './pub-sub';
import { DATA_COMMANDS, type Moment, type Store, unknownCommand } from './store';

/** The state that all sessions of a server share. */
export interface SharedState {
  store: Store;
  engine: LuaEngine;
  scripts: Scripts;
  pubSub: PubSub;
  now(): Moment;
  info(): string;
}

/** Commands that a RESP2 client may send while it has subscriptions. */
const WHILE_SUBSCRIBED = new Set([
  'SUBSCRIBE',
  'UNSUBSCRIBE',
  'PSUBSCRIBE',
  'PUNSUBSCRIBE',
  'PING',
  'QUIT',
  'RESET',
]);
const QUEUED = new SimpleString('QUEUED');
const IN_TRANSACTION = new Set(['EXEC', 'DISCARD', 'MULTI', 'QUIT', 'RESET']);
const VERSION = '7.2.0';

type Handler = (session: Session, args: readonly string[]) => Reply | undefined;

/**
 * One client: its protocol version, subscriptions and transaction. A handler that returns undefined has
 * replied itself.
 */
export class Session {
  protocol: ProtocolVersion = 2;
  isQuitting = false;
  private name = '';
  private readonly channels = new Set<string>();
  private readonly patterns = new Set<string>();
  private transaction: string[][] | null = null;
  private isTransactionBroken = false;

  constructor(
    readonly id: number,
    private readonly shared: SharedState,
    private readonly subscriber: Subscriber,
  ) {}

  /** Replies to one request. A reply of several messages goes through `subscriber`. */
  handle(request: readonly string[]): Reply | undefined {
    const [name = '', ...args] = request;
    const upper = name.toUpperCase();
    try {
      if (this.protocol === 2 && this.subscriptions > 0 && !WHILE_SUBSCRIBED.has(upper)) {
        throw new RedisError(
          `ERR Can't execute '${name.toLowerCase()}': only (P|S)SUBSCRIBE / (P|S)UNSUBSCRIBE / PING / QUIT / RESET are allowed in this context`,
        );
      }
      if (this.transaction && !IN_TRANSACTION.has(upper)) return this.queue(upper, name, args);
      const handler = HANDLERS[upper];
      if (handler) return handler(this, args);
      return this.shared.store.run(request);
    } catch (error) {
      if (error instanceof RedisError) return error;
      throw error;
    }
  }

  /** Ends subscriptions when the connection closes. */
  close(): void {
    for (const channel of this.channels) this.shared.pubSub.unsubscribe(this.subscriber, channel);
    for (const pattern of this.patterns) this.shared.pubSub.unsubscribePattern(this.subscriber, pattern);
    this.channels.clear();
    this.patterns.clear();
  }

  get subscriptions(): number {
    return this.channels.size + this.patterns.size;
  }

  private queue(upper: string, name: string, args: readonly string[]): Reply {
    const known = upper in DATA_COMMANDS || upper in HANDLERS;
    const isRefused = !known || REFUSED_IN_TRANSACTION.has(upper);
    if (isRefused) {
      this.isTransactionBroken = true;
      throw known
        ? new RedisError(`ERR Command '${name.toLowerCase()}' is not allowed inside a transaction`)
        : unknownCommand(name, args);
    }
    this.transaction!.push([name, ...args]);
    return QUEUED;
  }

  ping([message]: readonly string[]): Reply {
    if (this.protocol === 2 && this.subscriptions > 0) return ['pong', message ?? ''];
    return message ?? new SimpleString('PONG');
  }

  hello(args: readonly string[]): Reply {
    const [version, ...options] = args;
    if (version !== undefined && version !== '2' && version !== '3') {
      throw new RedisError('NOPROTO unsupported protocol version');
    }
    for (let at = 0; at < options.length; at += 2) {
      const option = options[at]!.toUpperCase();
      if (option === 'SETNAME' && options[at + 1] !== undefined) this.name = options[at + 1]!;
      else if (option === 'AUTH') at += 1;
      else throw new RedisError(`ERR Syntax error in HELLO option '${options[at]}'`);
    }
    if (version !== undefined) this.protocol = version === '3' ? 3 : 2;
    return new MapReply([
      ['server', 'redis'],
      ['version', VERSION],
      ['proto', this.protocol],
      ['id', this.id],
      ['mode', 'standalone'],
      ['role', 'master'],
      ['modules', []],
    ]);
  }

  client([subcommand = '', ...args]: readonly string[]): Reply {
    switch (subcommand.toUpperCase()) {
      case 'SETNAME':
        this.name = args[0] ?? '';
        return OK;
      case 'GETNAME':
        return this.name === '' ? null : this.name;
      case 'ID':
        return this.id;
      case 'SETINFO':
        return OK;
      default:
        throw new RedisError(`ERR unknown subcommand '${subcommand}'. Try CLIENT HELP.`);
    }
  }

  subscribe(kind: 'channel' | 'pattern', names: readonly string[]): undefined {
    const { pubSub } = this.shared;
    const [own, verb] = kind === 'channel' ? [this.channels, 'subscribe'] : [this.patterns, 'psubscribe'];
    for (const name of names) {
      if (!own.has(name)) {
        own.add(name);
        if (kind === 'channel') pubSub.subscribe(this.subscriber, name);
        else pubSub.subscribePattern(this.subscriber, name);
      }
      this.subscriber.deliver(new Push([verb, name, this.subscriptions]));
    }
  }

  unsubscribe(kind: 'channel' | 'pattern', names: readonly string[]): undefined {
    const { pubSub } = this.shared;
    const [own, verb] = kind === 'channel' ? [this.channels, 'unsubscribe'] : [this.patterns, 'punsubscribe'];
    const ended = names.length > 0 ? names : [...own];
    if (ended.length === 0) this.subscriber.deliver(new Push([verb, null, this.subscriptions]));
    for (const name of ended) {
      own.delete(name);
      if (kind === 'channel') pubSub.unsubscribe(this.subscriber, name);
      else pubSub.unsubscribePattern(this.subscriber, name);
      this.subscriber.deliver(new Push([verb, name, this.subscriptions]));
    }
  }

  multi(): Reply {
    if (this.transaction) throw new RedisError('ERR MULTI calls can not be nested');
    this.transaction = [];
    this.isTransactionBroken = false;
    return OK;
  }

  discard(): Reply {
    if (!this.transaction) throw new RedisError('ERR DISCARD without MULTI');
    this.transaction = null;
    return OK;
  }

  exec(): Reply {
    const queued = this.transaction;
    if (!queued) throw new RedisError('ERR EXEC without MULTI');
    this.transaction = null;
    if (this.isTransactionBroken) {
      throw new RedisError('EXECABORT Transaction discarded because of previous errors.');
    }
    return queued.map((request) => this.handle(request) ?? null);
  }

  evaluate(sha: string, args: readonly string[]): Reply {
    const { keys, rest } = keysAndArguments(args);
    const { engine, store, now } = this.shared;
    const moment = now();
    return engine.call(sha, keys, rest, (command) => store.run(command, moment));
  }

  script([subcommand = '', ...args]: readonly string[]): Reply {
    const { scripts } = this.shared;
    switch (subcommand.toUpperCase()) {
      case 'LOAD':
        if (args.length !== 1) throw wrongArity('script|load');
        return scripts.load(args[0]!);
      case 'EXISTS':
        return args.map((sha) => (scripts.has(sha) ? 1 : 0));
      case 'FLUSH':
        scripts.flush();
        return OK;
      default:
        throw new RedisError(`ERR unknown subcommand '${subcommand}'. Try SCRIPT HELP.`);
    }
  }

  publish(args: readonly string[]): Reply {
    if (args.length !== 2) throw wrongArity('publish');
    return this.shared.pubSub.publish(args[0]!, args[1]!);
  }

  reportPubSub([subcommand = '', ...args]: readonly string[]): Reply {
    const report = this.shared.pubSub.report(subcommand.toUpperCase(), args);
    if (report === null) throw new RedisError(`ERR unknown subcommand '${subcommand}'. Try PUBSUB HELP.`);
    return report;
  }

  eval([source, ...args]: readonly string[]): Reply {
    if (source === undefined || args.length === 0) throw wrongArity('eval');
    return this.evaluate(this.shared.scripts.load(source), args);
  }

  evalSha([sha, ...args]: readonly string[]): Reply {
    if (sha === undefined || args.length === 0) throw wrongArity('evalsha');
    return this.evaluate(this.shared.scripts.known(sha), args);
  }

  info(): Reply {
    return this.shared.info();
  }

  quit(): Reply {
    this.isQuitting = true;
    return OK;
  }

  reset(): Reply {
    this.close();
    this.transaction = null;
    this.protocol = 2;
    this.name = '';
    return new SimpleString('RESET');
  }
}

const REFUSED_IN_TRANSACTION = new Set(['SUBSCRIBE', 'UNSUBSCRIBE', 'PSUBSCRIBE', 'PUNSUBSCRIBE', 'HELLO']);

/** Settings that clients read. There is no other way to read or change one. */
const SETTINGS: readonly (readonly [string, string])[] = [
  ['appendonly', 'yes'],
  ['appendfsync', 'everysec'],
  ['databases', '1'],
  ['maxmemory', '0'],
  ['save', ''],
];

function config([subcommand = '', ...names]: readonly string[]): Reply {
  if (subcommand.toUpperCase() !== 'GET') {
    throw new RedisError(`ERR unknown subcommand '${subcommand}'. Try CONFIG HELP.`);
  }
  const wanted = new Set(names.map((name) => name.toLowerCase()));
  return new MapReply(SETTINGS.filter(([name]) => wanted.has(name) || wanted.has('*')));
}

function select([index = '']: readonly string[]): Reply {
  if (!/^\d+$/.test(index)) throw new RedisError('ERR value is not an integer or out of range');
  if (index !== '0') throw new RedisError('ERR DB index is out of range');
  return OK;
}

function refuseAuth(): never {
  throw new RedisError(
    'ERR AUTH <password> called without any password configured for the default user. Are you sure your configuration is correct?',
  );
}

/** Commands on the connection, on scripts and on pub/sub, by name in capitals. */
const HANDLERS: Readonly<Record<string, Handler>> = {
  PING: (session, args) => session.ping(args),
  ECHO: (_, [message]) => {
    if (message === undefined) throw wrongArity('echo');
    return message;
  },
  HELLO: (session, args) => session.hello(args),
  AUTH: refuseAuth,
  SELECT: (_, args) => select(args),
  CLIENT: (session, args) => session.client(args),
  CONFIG: (_, args) => config(args),
  COMMAND: () => [],
  INFO: (session) => session.info(),
  QUIT: (session) => session.quit(),
  RESET: (session) => session.reset(),
  SUBSCRIBE: (session, args) => session.subscribe('channel', atLeastOne('subscribe', args)),
  PSUBSCRIBE: (session, args) => session.subscribe('pattern', atLeastOne('psubscribe', args)),
  UNSUBSCRIBE: (session, args) => session.unsubscribe('channel', args),
  PUNSUBSCRIBE: (session, args) => session.unsubscribe('pattern', args),
  PUBLISH: (session, args) => session.publish(args),
  PUBSUB: (session, args) => session.reportPubSub(args),
  MULTI: (session) => session.multi(),
  EXEC: (session) => session.exec(),
  DISCARD: (session) => session.discard(),
  EVAL: (session, args) => session.eval(args),
  EVALSHA: (session, args) => session.evalSha(args),
  SCRIPT: (session, args) => session.script(args),
};

function atLeastOne(command: string, args: readonly string[]): readonly string[] {
  if (args.length === 0) throw wrongArity(command);
  return args;
}
