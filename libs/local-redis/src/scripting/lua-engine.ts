import { createHash } from 'node:crypto';
import { LuaEventMasks, LuaFactory, LuaReturn } from 'wasmoon';
import { RedisError, type Reply } from '../resp/reply';
import { PRELUDE_LUA } from './prelude.lua';
import { decodeResult, decodeTexts, encodeReply, encodeTexts } from './script-codec';

/** Runs one command of a script. Throws RedisError. */
export type ScriptCommand = (args: readonly string[]) => Reply;

/** The time limit of a script: Redis accepts SCRIPT KILL after the same time. */
const DEADLINE_MS = 5_000;
const DEADLINE_ERROR = `script ran for more than ${DEADLINE_MS} ms`;
/** Lua instructions between two checks of the clock. */
const HOOK_INSTRUCTIONS = 10_000;
const REGISTRY = -1_001_000;
/** Lua's constant for all results of a function. */
const ALL_RESULTS = -1;

/**
 * The part of Lua's C interface that is used here, without the conversions of wasmoon: texts are passed as
 * bytes.
 */
interface LuaModule {
  HEAPU8: Uint8Array;
  HEAPU32: Uint32Array;
  _malloc(bytes: number): number;
  _free(pointer: number): void;
  _lua_pushlstring(state: number, bytes: number, length: number): number;
  _lua_tolstring(state: number, index: number, lengthPointer: number): number;
  _lua_pcallk(
    state: number,
    args: number,
    results: number,
    handler: number,
    context: number,
    k: number,
  ): number;
  _lua_rawgeti(state: number, index: number, n: bigint): number;
  _lua_settop(state: number, index: number): void;
  _lua_gettop(state: number): number;
  _lua_error(state: number): number;
  _lua_pushcclosure(state: number, callback: number, upvalues: number): void;
  _lua_sethook(state: number, callback: number, mask: number, count: number): void;
  _luaL_ref(state: number, table: number): number;
  _luaL_unref(state: number, table: number, reference: number): void;
  _luaL_loadbufferx(state: number, bytes: number, length: number, name: number, mode: number): number;
  addFunction(callback: (state: number) => number | void, signature: string): number;
}

/**
 * Lua 5.4 in WebAssembly, with the functions that Redis offers to scripts. One thing differs from Redis's Lua
 * 5.1: a number whose fraction is zero prints as `5.0` when a script turns it into text. As an argument or
 * reply it is 5.
 */
export class LuaEngine {
  private readonly compiled = new Map<string, bigint>();
  private readonly lengthPointer: number;
  private compile = 0n;
  private run = 0n;
  private command: ScriptCommand | null = null;
  private deadlineMs = Infinity;

  private constructor(
    private readonly lua: LuaModule,
    private readonly state: number,
    private readonly nowMs: () => number,
    private readonly end: () => void,
  ) {
    this.lengthPointer = lua._malloc(4);
  }

  /** @param nowMs clock of the deadline, milliseconds; it need not be the time of day */
  static async create(nowMs: () => number): Promise<LuaEngine> {
    const engine = await new LuaFactory().createEngine({ openStandardLibs: true, injectObjects: false });
    const { address, lua } = engine.global;
    const self = new LuaEngine(lua.module as unknown as LuaModule, address, nowMs, () =>
      engine.global.close(),
    );
    self.prepare();
    return self;
  }

  /** Compiles a script under its SHA-1. Throws RedisError. */
  load(sha: string, source: string): void {
    if (this.compiled.has(sha)) return;
    const { lua, state } = this;
    const top = lua._lua_gettop(state);
    try {
      lua._lua_rawgeti(state, REGISTRY, this.compile);
      this.push(source);
      // `load` returns the function, or nil and its error.
      this.protectedCall(1, ALL_RESULTS);
      if (lua._lua_gettop(state) > top + 1) {
        throw new RedisError(`ERR Error compiling script (new function): ${this.textAt(state, -1)}`);
      }
      this.compiled.set(sha, BigInt(lua._luaL_ref(state, REGISTRY)));
    } finally {
      lua._lua_settop(state, top);
    }
  }

  has(sha: string): boolean {
    return this.compiled.has(sha);
  }

  /** Removes all scripts. */
  flush(): void {
    for (const reference of this.compiled.values()) {
      this.lua._luaL_unref(this.state, REGISTRY, Number(reference));
    }
    this.compiled.clear();
  }

  /** Runs a loaded script to its end. Nothing else runs meanwhile. Throws RedisError. */
  call(sha: string, keys: readonly string[], args: readonly string[], command: ScriptCommand): Reply {
    const { lua, state } = this;
    const top = lua._lua_gettop(state);
    this.command = command;
    this.deadlineMs = this.nowMs() + DEADLINE_MS;
    try {
      lua._lua_rawgeti(state, REGISTRY, this.run);
      lua._lua_rawgeti(state, REGISTRY, this.compiled.get(sha)!);
      this.push(encodeTexts(keys));
      this.push(encodeTexts(args));
      this.protectedCall(3, 1);
      return decodeResult(this.textAt(state, -1));
    } catch (error) {
      if (!(error instanceof RedisError)) throw error;
      throw new RedisError(`${error.message} script: ${sha}, on @user_script.`);
    } finally {
      lua._lua_settop(state, top);
      this.command = null;
      this.deadlineMs = Infinity;
    }
  }

  close(): void {
    this.end();
  }

  private prepare(): void {
    const { lua, state } = this;
    const source = Buffer.from(PRELUDE_LUA, 'latin1');
    const pointer = this.copied(source);
    lua._luaL_loadbufferx(state, pointer, source.length, pointer, 0);
    lua._free(pointer);
    this.pushFunction((encoded) => encodeReply(this.replyTo(decodeTexts(encoded))));
    this.pushFunction((text) => createHash('sha1').update(text, 'latin1').digest('hex'));
    this.push(DEADLINE_ERROR);
    this.protectedCall(3, 2);
    this.run = BigInt(lua._luaL_ref(state, REGISTRY));
    this.compile = BigInt(lua._luaL_ref(state, REGISTRY));
    const hook = lua.addFunction((running) => {
      if (this.nowMs() <= this.deadlineMs) return;
      this.push(DEADLINE_ERROR, running);
      lua._lua_error(running);
    }, 'vii');
    lua._lua_sethook(state, hook, LuaEventMasks.Count, HOOK_INSTRUCTIONS);
  }

  private replyTo(args: readonly string[]): Reply {
    try {
      return this.command!(args);
    } catch (error) {
      if (error instanceof RedisError) return error;
      throw error;
    }
  }

  /** Pushes a Lua function that maps one text to another. */
  private pushFunction(work: (text: string) => string): void {
    const callback = this.lua.addFunction((running) => {
      this.push(work(this.textAt(running, 1)), running);
      return 1;
    }, 'ii');
    this.lua._lua_pushcclosure(this.state, callback, 0);
  }

  private protectedCall(args: number, results: number): void {
    const status = this.lua._lua_pcallk(this.state, args, results, 0, 0, 0);
    if (status !== LuaReturn.Ok) throw new RedisError(`ERR ${this.textAt(this.state, -1)}`);
  }

  private push(text: string, state = this.state): void {
    const pointer = this.copied(Buffer.from(text, 'latin1'));
    this.lua._lua_pushlstring(state, pointer, text.length);
    this.lua._free(pointer);
  }

  private textAt(state: number, index: number): string {
    const { lua, lengthPointer } = this;
    const start = lua._lua_tolstring(state, index, lengthPointer);
    if (start === 0) return '';
    const length = lua.HEAPU32[lengthPointer >> 2]!;
    return Buffer.from(lua.HEAPU8.buffer, start, length).toString('latin1');
  }

  private copied(bytes: Buffer): number {
    const pointer = this.lua._malloc(Math.max(bytes.length, 1));
    if (pointer === 0) throw new RedisError('ERR script needs more memory than there is');
    this.lua.HEAPU8.set(bytes, pointer);
    return pointer;
  }
}
