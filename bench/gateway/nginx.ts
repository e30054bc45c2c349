import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { findFreePort, startServer, type RunningPart } from '@plimsoll/local-parts';
import { TAKE_LUA } from '../../apps/gateway/src/limits/take.lua';
import type { DemoAccount } from './demo-account';

/** The environment of every contender. */
export interface ContenderEnvironment {
  logFolder: string;
  upstreamPort: number;
  redisPort: number;
  /** An account without a limit that a bench could reach. */
  account: DemoAccount;
}

export const HOW_TO_INSTALL =
  'nginx or its Lua module is missing, so that it is not compared. On Debian: apt-get install nginx libnginx-mod-http-lua lua-nginx-redis';

/** The modules folder of nginx. Undefined: nginx is not installed. */
function modulesFolder(): string | undefined {
  const { stderr } = spawnSync('nginx', ['-V'], { encoding: 'utf8' });
  return /--modules-path=(\S+)/.exec(stderr ?? '')?.[1];
}

/**
 * An nginx with one worker and keep-alive to the upstream. @returns undefined when it or a module is missing
 */
async function startNginx(
  name: string,
  { logFolder, upstreamPort }: ContenderEnvironment,
  http: string,
  location: string,
): Promise<RunningPart | undefined> {
  const modules = modulesFolder();
  if (modules === undefined) return undefined;
  const port = await findFreePort();
  const folder = path.join(logFolder, name);
  mkdirSync(folder, { recursive: true });
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'];
  const config = `
    load_module ${modules}/ndk_http_module.so;
    load_module ${modules}/ngx_http_lua_module.so;
    worker_processes 1;
    daemon off;
    pid ${folder}/pid;
    error_log stderr warn;
    events { worker_connections 4096; }
    http {
      access_log off;
      ${temporary.map((each) => `${each}_temp_path ${folder}/${each};`).join('\n')}
      keepalive_requests 1000000000;
      upstream service { server 127.0.0.1:${upstreamPort}; keepalive 128; keepalive_requests 1000000000; }
      ${http}
      server {
        listen 127.0.0.1:${port};
        location = /health/ready { return 200; }
        location / {
          ${location}
          proxy_http_version 1.1;
          proxy_set_header Connection "";
          proxy_set_header X-Request-Id $request_id;
          proxy_pass http://service;
        }
      }
    }`;
  const file = path.join(folder, 'nginx.conf');
  writeFileSync(file, config);
  if (spawnSync('nginx', ['-t', '-c', file]).status !== 0) return undefined;
  const url = `http://127.0.0.1:${port}`;
  return startServer({
    name,
    url,
    port,
    file: 'nginx',
    args: ['-c', file],
    logFile: path.join(logFolder, `${name}.log`),
    isReady: async (signal) => (await fetch(`${url}/health/ready`, { signal })).ok,
  });
}

/** nginx with a limit in its own memory: not exact over machines, and without remaining counts. */
export function startNginxLimitReq(around: ContenderEnvironment): Promise<RunningPart | undefined> {
  const zone = 'limit_req_zone $http_x_api_key zone=calls:10m rate=1000000r/s;';
  return startNginx('nginx-limit-req', around, zone, 'limit_req zone=calls burst=100000 nodelay;');
}

/**
 * nginx with Lua: the key from a table, our limit script in the same Redis over kept connections, the five
 * headers.
 */
export function startNginxLua(around: ContenderEnvironment): Promise<RunningPart | undefined> {
  const { redisPort, account } = around;
  const sha = createHash('sha1').update(TAKE_LUA).digest('hex');
  const init = `
    init_worker_by_lua_block {
      redis = require "nginx.redis"
      redis.add_commands("evalsha")
      script = [==[${TAKE_LUA}]==]
      keys = { ["${account.key}"] = { id = "${account.id}", tier = "enterprise", perMinute = 1000000000, offset = 0 } }
    }`;
  const access = `
    access_by_lua_block {
      local account = keys[ngx.var.http_x_api_key]
      if not account then return ngx.exit(401) end
      local connection = redis:new()
      connection:set_timeout(1000)
      assert(connection:connect("127.0.0.1", ${redisPort}))
      local name = "lua:limit:account:" .. account.id
      local taken, err = connection:evalsha("${sha}", 1, name, 1, account.offset, account.perMinute, -1)
      if not taken then taken = assert(connection:eval(script, 1, name, 1, account.offset, account.perMinute, -1)) end
      connection:set_keepalive(10000, 128)
      if taken[4] < 1 then return ngx.exit(429) end
      ngx.ctx.account = account
      ngx.ctx.taken = taken
    }
    header_filter_by_lua_block {
      local account, taken = ngx.ctx.account, ngx.ctx.taken
      if not account then return end
      ngx.header["X-RateLimit-Limit"] = account.perMinute
      ngx.header["X-RateLimit-Remaining"] = account.perMinute - taken[2] - 1
      ngx.header["X-RateLimit-Reset"] = os.date("!%Y-%m-%dT%H:%M:%S.000Z", taken[5] / 1000)
      ngx.header["X-Service-Tier"] = account.tier
      ngx.header["X-Request-Id"] = ngx.var.request_id
    }`;
  return startNginx('nginx-lua', around, init, access);
}
