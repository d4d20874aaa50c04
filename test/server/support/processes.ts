import { spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { inject } from 'vitest'
import type { ModelServer } from '../../support/model-server/index.ts'
import { fileToken } from './file-token.ts'
import { answered, type JsonAnswer } from './world.ts'

/** A `pith serve` in a process of its own. */
export type ServerProcess = {
  readonly url: string
  readonly token: string
  readonly pid: number
  readonly ask: (method: string, path: string, body?: unknown, headers?: Record<string, string>) => Promise<JsonAnswer>
  readonly stream: (method: string, path: string, body?: unknown, signal?: AbortSignal) => Promise<Response>
  readonly signal: (name: 'SIGTERM' | 'SIGKILL') => void
  readonly ended: Promise<{ readonly code: number | null; readonly signal: string | null; readonly errors: string }>
}

/** A user's folder that any number of servers share: its tokens, its configuration. */
export type Home = {
  readonly folder: string
  /** The secret of its one token. */
  readonly token: string
  start(flags?: readonly string[]): Promise<ServerProcess>
  /** Ends all of its processes and deletes it. */
  stop(): Promise<void>
}

/** A home whose model is the test's own server. The program is the one that ships, outside of tests another. */
export function serverHome(
  store: string,
  model: ModelServer,
  server: Record<string, unknown> = {},
  program: string = inject('program'),
  settings: Record<string, unknown> = {},
): Home {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'pith-serve-')))
  const work = join(folder, 'work')
  mkdirSync(work)
  const config = {
    model: 'local/pith-test',
    store,
    providers: { local: { kind: 'anthropic', base_url: model.baseUrl('anthropic'), api_key: 'test-key' } },
    models: [{ provider: 'local', model: 'pith-test', context_window: 20_000, max_output: 2_000 }],
    policy: { preset: 'agent' },
    server: { lease_ms: 2_000, grace_ms: 3_000, leaving_ms: 0, ...server },
    ...settings,
  }
  writeFileSync(join(folder, 'config.yaml'), JSON.stringify(config))
  const token = fileToken(folder, { name: 'local', access: 'write' }).secret
  const running = new Set<ServerProcess>()
  return {
    folder,
    token,
    async start(flags = []) {
      const started = await startProcess(program, { folder, work, token }, flags)
      running.add(started)
      return started
    },
    async stop() {
      for (const process of running) process.signal('SIGKILL')
      await Promise.all([...running].map(({ ended }) => ended))
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

async function startProcess(
  program: string,
  { folder: home, work: cwd, token }: { folder: string; work: string; token: string },
  flags: readonly string[],
): Promise<ServerProcess> {
  const child = spawn(process.execPath, [program, 'serve', '--port', '0', ...flags], {
    cwd,
    env: { PATH: process.env.PATH, HOME: home, PITH_HOME: home, NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let errors = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    errors += text
  })
  const ended = new Promise<Awaited<ServerProcess['ended']>>((done) => {
    child.on('close', (code, signal) => done({ code, signal, errors }))
  })
  const url = await new Promise<string>((done, failed) => {
    let text = ''
    child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
      text += chunk
      const found = /^Pith serves at (\S+)\n/.exec(text)
      if (found !== null) done(new URL(found[1] ?? '').origin)
    })
    void ended.then(() => failed(new Error(`the server did not start: ${errors}`)))
  })
  const send = (method: string, path: string, body?: unknown, headers?: Record<string, string>, signal?: AbortSignal) =>
    fetch(`${url}${path}`, {
      method,
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      headers: {
        authorization: `Bearer ${token}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(signal === undefined ? {} : { signal }),
    })
  return {
    url,
    token,
    pid: child.pid ?? 0,
    ended,
    ask: async (method, path, body, headers) => answered(await send(method, path, body, headers)),
    stream: (method, path, body, signal) => send(method, path, body, { accept: 'text/event-stream' }, signal),
    signal: (name) => void child.kill(name),
  }
}
