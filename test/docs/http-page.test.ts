import { execFile, spawn } from 'node:child_process'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { beforeAll, describe, expect, inject, it } from 'vitest'
import { ERROR_CODES } from '../../scripts/docs/http-error-codes.ts'
import { EXAMPLES } from '../../scripts/docs/http-examples.ts'
import { httpPage } from '../../scripts/docs/http-page.ts'
import { curl } from '../../scripts/docs/http-route.ts'
import { openApi, type Route } from '../../scripts/docs/open-api.ts'
import { shellWord } from '../../src/model/text.ts'
import { LOCAL_OWNER } from '../../src/store/store.ts'
import { listening } from '../server/support/listening.ts'
import { TOKENS } from '../server/support/world.ts'
import { configFolders } from '../support/config-folders.ts'
import { turns } from '../support/messages.ts'

const run = promisify(execFile)
const { routes } = openApi()

let hasCurl = false
beforeAll(async () => {
  hasCurl = await run('curl', ['--version']).then(
    () => true,
    () => false,
  )
  if (!hasCurl) console.warn('curl is not installed: the calls of docs/http.md are not tried')
})

type World = Awaited<ReturnType<typeof listening>>

/** A session with a compaction, and its place. */
type Compacted = { readonly id: string; readonly seq: number }

async function compacted({ ask, session }: World): Promise<Compacted> {
  const id = await session({ policy: 'agent', messages: turns(60, 400) })
  const { body } = await ask('POST', `/v1/sessions/${id}/compact`)
  return { id, seq: body.seq }
}

/**
 * The answer to the line of a route, on a session with a compaction that can be taken back or has been. Calls that
 * only read share one; each of the others has its own.
 */
async function statusOf(world: World, route: Route, shared: Compacted): Promise<string> {
  const { ask, url, folder } = world
  const { id, seq } = route.method === 'GET' ? shared : await compacted(world)
  if (['redo', 'compactSession'].includes(route.operationId)) await ask('POST', `/v1/sessions/${id}/undo`)
  if (route.operationId === 'putBack') await ask('POST', `/v1/sessions/${id}/leave-out`, EXAMPLES.leaveOut?.body)
  const line = curl(route)
    .replace('curl', 'curl -sS -i')
    .replace(' -o session.jsonl', '')
    .replace('/tokens/alice', `/tokens/of-${id}`)
  if (route.path.includes('{name}')) await ask('POST', '/v1/tokens', { name: `of-${id}` })
  const set = { PITH: url, TOKEN: TOKENS[0].token, AUTH, ID: id, SEQ: String(seq) }
  const status = await statusIn(line, folder, { ...process.env, ...set })
  return `${route.operationId} ${status}`
}

/** The status of the answer to a call. A stream has no end, so nothing after the first line is waited for. */
async function statusIn(line: string, cwd: string, env: NodeJS.ProcessEnv): Promise<string | undefined> {
  const child = spawn('bash', ['-c', `exec ${line}`], { cwd, env, stdio: ['ignore', 'pipe', 'ignore'] })
  for await (const piece of child.stdout) {
    child.kill()
    return String(piece).split(' ')[1]
  }
  return undefined
}

const STREAM_TITLES: Readonly<Record<string, string>> = {
  session: 'SessionEvent',
  all: 'AnyEvent',
  turn: 'TurnEvent',
  compact: 'CompactEvent',
}

const AUTH = `Authorization: Bearer ${TOKENS[0].token}`

describe('the page of the HTTP API', () => {
  it('has calls that work as typed', async () => {
    if (!hasCurl) return
    const world = await listening()
    const kept = await world.ask('GET', `/v1/sessions/${await world.session({ messages: turns(2) })}/export`)
    writeFileSync(join(world.folder, 'session.jsonl'), kept.body)
    const shared = await compacted(world)
    await world.store.createSession({ owner: LOCAL_OWNER, workspace: '/home/me/shop' })
    const answered = await Promise.all(routes.map((route) => statusOf(world, route, shared)))
    const expected = routes.map(({ operationId, responses }) => `${operationId} ${'201' in responses ? 201 : 200}`)
    expect(answered).toEqual(expected)
  })

  it('begins with lines that make a token and a session with a compaction, as often as they are typed', async () => {
    if (!hasCurl) return
    const { env } = configFolders()
    const { url, ask, folder } = await listening({
      tokenFolder: env.PITH_HOME,
      store: join(env.PITH_HOME ?? '', 'pith.db'),
    })
    const [, lines = ''] = /```sh\n([\s\S]*?)```/.exec(httpPage()) ?? []
    const typed = `${lines.replace('http://127.0.0.1:7484', url)}\necho "$TOKEN /v1/sessions/$ID/compactions/$SEQ"`
    const program = `pith() { ${shellWord(process.execPath)} ${shellWord(inject('program'))} "$@"; }`
    const { stdout } = await run('bash', ['-c', [program, typed, typed].join('\n')], {
      cwd: folder,
      env: { ...process.env, ...env, TMPDIR: folder },
    })
    const made = stdout.trim().split('\n')
    expect(new Set(made).size).toBe(2)
    for (const line of made) {
      const [token = '', path = ''] = line.split(' ')
      expect(token).toMatch(/^pith_[\w-]{43}$/)
      expect(await ask('GET', path, undefined, { token })).toMatchObject({ status: 200 })
    }
  })

  it('has no example for a route that is not there', () => {
    const names = routes.map(({ operationId }) => operationId)
    expect(Object.keys(EXAMPLES).filter((name) => !names.includes(name))).toEqual([])
  })

  it('says of every event when it comes and what its data has, under the name that its route links to', () => {
    const page = httpPage()
    for (const [stream, events] of Object.entries(openApi().events)) {
      const title = STREAM_TITLES[stream] ?? stream
      expect(page).toContain(`of [${title}](#${title.toLowerCase()})`)
      const section = page.split(`\n### ${title}\n`)[1]?.split('\n### ')[0] ?? ''
      for (const name of Object.keys(events))
        expect(section, `${stream} ${name}`).toMatch(new RegExp(`^\\| \`${name}\` \\| \\S.+ \\| \\S.+ \\|$`, 'm'))
    }
  })

  it('names every error code that the server gives', () => {
    const folder = join(import.meta.dirname, '../../src/server')
    const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.ts'))
    const text = files.map((file) => readFileSync(join(folder, file), 'utf8')).join('\n')
    const thrown = [...text.matchAll(/HttpError\((\d{3}), '([\w-]+)'/g)].map(([, status, code]) => `${status} ${code}`)
    const mapped = [...text.matchAll(/^ {2}'([a-z-]+)': (\d{3}),$/gm)].map(([, code, status]) => `${status} ${code}`)
    const listed = Object.entries(ERROR_CODES).flatMap(([status, codes]) =>
      Object.keys(codes).map((code) => `${status} ${code}`),
    )
    expect(thrown.length).toBeGreaterThan(20)
    expect(mapped.length).toBeGreaterThan(5)
    expect([...thrown, ...mapped].filter((code) => !listed.includes(code))).toEqual([])
  })
})
