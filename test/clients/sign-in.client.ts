import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, inject, it, onTestFinished } from 'vitest'
import { startAgentModel } from './agent-model.ts'
import { codex } from './agents/codex.ts'
import { turn } from './asked.ts'
import type { Client } from './client.ts'
import { longWork } from './long-work.ts'
import { put } from './put.ts'
import { recordedWork } from './recorded-work.ts'
import { wrapClient } from './wrap-client.ts'

/** A token as ChatGPT gives it to Codex: nobody checks the signature, but Codex reads when it ends. */
function jwt(claims: object): string {
  const parts = [{ alg: 'none', typ: 'JWT' }, claims].map((part) =>
    Buffer.from(JSON.stringify(part)).toString('base64url'),
  )
  return [...parts, Buffer.from('made-up').toString('base64url')].join('.')
}

const ACCOUNT = 'account-0001'
const CLAIMS = {
  email: 'somebody@example.com',
  exp: Math.floor(Date.now() / 1000) + 10 * 24 * 3_600,
  'https://api.openai.com/auth': {
    chatgpt_plan_type: 'plus',
    chatgpt_account_id: ACCOUNT,
    chatgpt_user_id: 'user-0001',
  },
}
const ACCESS = jwt({ ...CLAIMS, aud: ['https://api.openai.com/v1'] })

/** Codex with a sign-in that is made up. Its addresses are the local server's, so that nothing is asked of ChatGPT. */
const signedIn: Client['setUp'] = (place) => {
  const folder = join(place.home, '.codex')
  const { window, url } = place
  put(
    join(folder, 'config.toml'),
    `model = "gpt-5.5"
openai_base_url = "${url}/backend-api/codex"
chatgpt_base_url = "${url}/backend-api/"
cli_auth_credentials_store = "file"
model_context_window = ${window}
model_auto_compact_token_limit = ${Math.floor(window * 0.9)}
`,
  )
  const tokens = { id_token: jwt(CLAIMS), access_token: ACCESS, refresh_token: 'made-up', account_id: ACCOUNT }
  const auth = { auth_mode: 'chatgpt', OPENAI_API_KEY: null, tokens, last_refresh: new Date().toISOString() }
  put(join(folder, 'auth.json'), JSON.stringify(auth))
  return { CODEX_HOME: folder }
}

const LONG_FROM = 5
const LONG_TOKENS = 82_000

it.each(['answer', 'rewrite'] as const)(
  'Codex with a ChatGPT sign-in is recorded, compacted when it asks for it, and never shortened, in mode %s',
  async (mode) => {
    const installed = inject('installed').codex
    if ('problem' in installed) throw new Error(installed.problem)
    const work = longWork(codex, () => running.place.workspace)
    const model = await startAgentModel((asked) => {
      const said = work.brain(asked)
      // Codex does not compact at this count yet, but mode `rewrite` would for an agent that pays by the token.
      return said.calls === undefined || work.piece < LONG_FROM ? said : { tokens: LONG_TOKENS, ...said }
    })
    onTestFinished(() => model.close())
    const client: Client = { ...codex, wrapped: { ...codex.wrapped, setUp: signedIn } }
    const running = wrapClient(client, { program: installed.program, pith: inject('program'), url: model.url, mode })
    onTestFinished(running.remove)

    for (work.turn = 1; work.turn <= 3; work.turn++) {
      const [file] = running.sessions()
      const prompt = turn(work.turn, work.turn === 1 ? 'Count for a while.' : 'Go on.')
      const run = await (file === undefined
        ? running.start(prompt)
        : running.resume({ id: file.id, file: file.path }, prompt))
      expect(run, run.stderr).toMatchObject({ code: 0, stdout: expect.stringContaining(`Answer ${work.turn}`) })
      expect(run.stderr.includes('A subscription pays')).toBe(mode === 'rewrite')
    }

    const { sessions, steps, counted, compactions, reductions } = await recordedWork(running)
    expect({ sessions, compactions, reductions, ofPith: work.ofPith }).toEqual({
      sessions: 1,
      compactions: 1,
      reductions: 1,
      ofPith: 1,
    })
    expect(counted).toBe(steps)
    const asked = model.asked.filter(({ path }) => path.endsWith('/responses'))
    for (const { path, headers } of asked) {
      expect(path).toBe('/backend-api/codex/responses')
      expect(headers).toMatchObject({ authorization: `Bearer ${ACCESS}`, 'chatgpt-account-id': ACCOUNT })
      expect(Object.keys(headers).filter((name) => name.startsWith('x-pith'))).toEqual([])
    }
    expect(asked.at(-1)?.messages.join('\n')).toContain('[pith-record:')
    expect(filesIn(running.pithHome).filter((file) => readFileSync(file).includes(ACCESS))).toEqual([])
  },
)

function filesIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
}
