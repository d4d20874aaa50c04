import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, inject, it, onTestFinished } from 'vitest'
import { columns } from '../../src/cli/output/show.ts'
import { answerMode } from '../../src/gateway/modes/answer/answer-mode.ts'
import { OWN_ITEM } from '../../src/gateway/records/seal.ts'
import { openStore } from '../../src/store/open-store.ts'
import { gatewayWorld } from '../gateway/support/world.ts'
import { type AgentModel, startAgentModel } from './agent-model.ts'
import { codex } from './agents/codex.ts'
import { turn } from './asked.ts'
import { KEY } from './client.ts'
import { CodexApp } from './codex-app.ts'
import { put } from './put.ts'
import { placeClient, type RunningClient } from './run-client.ts'
import { sentProblems } from './sent-problems.ts'
import { wrapClient } from './wrap-client.ts'

const ROUNDS = 5
const PIECES = 5

/** Codex asks for a summary as text behind `pith wrap`, and for a compaction item of a provider that it takes for OpenAI. */
const FORMS: Readonly<Record<string, (model: AgentModel, program: string) => Promise<RunningClient>>> = {
  'as text': async ({ url }, program) => wrapClient(codex, { program, url, pith: inject('program') }),
  'as an item': async ({ url }, program) => {
    const gateway = await itemGateway(url)
    const setUp: typeof codex.setUp = (place) => {
      const env = codex.wrapped.setUp?.({ ...place, url: gateway }) ?? {}
      put(join(env.CODEX_HOME ?? '', 'auth.json'), JSON.stringify({ OPENAI_API_KEY: KEY }))
      return env
    }
    return placeClient({ ...codex, setUp }, { program, url, window: codex.wrapped.compacts.window })
  },
}

const rows: string[][] = []
afterAll(() => console.log(columns([['compaction of Codex', 'automatic', '/compact', 'resumed'], ...rows]).join('\n')))

it.each(Object.entries(FORMS))(
  'Codex compacts %s at a provider without compaction, as often as tried',
  async (form, placed) => {
    const installed = inject('installed').codex
    if ('problem' in installed) throw new Error(installed.problem)
    const done = { automatic: 0, manual: 0, resumed: 0 }
    for (let round = 0; round < ROUNDS; round++) {
      const state = { turn: 1, pieces: 0, compactions: 0 }
      const model = await startAgentModel(({ messages, isSummary }) => {
        if (isSummary || messages.at(-1)?.includes('This message is from the program') === true) {
          state.compactions++
          return { text: 'The user wants pieces of work done, one after the other. Each writes its number.' }
        }
        if (state.pieces >= state.turn * PIECES) return { text: `Answer ${state.turn} after the work.` }
        const piece = ++state.pieces
        const isFull = state.turn === 1 && piece >= 3 && state.compactions === 0
        const tokens = isFull ? { tokens: codex.wrapped.compacts.tokens } : {}
        return {
          text: `Piece ${piece} of the work.`,
          calls: [codex.calls.shell(`echo ${piece}; seq ${piece} 200`)],
          ...tokens,
        }
      })
      onTestFinished(() => model.close())
      const running = await placed(model, installed.program)
      onTestFinished(running.remove)

      const started = await running.start(turn(1, 'Count for a while.'))
      expect(started, started.stderr).toMatchObject({ code: 0, stdout: expect.stringContaining('Answer 1') })
      expect(state.compactions).toBe(1)
      done.automatic++

      const [file] = running.sessions()
      const session = { id: file?.id ?? '', file: file?.path ?? '' }
      state.turn = 2
      const app = new CodexApp(running)
      onTestFinished(() => app.close())
      await app.open(session.id)
      await app.ask(session.id, turn(2, 'Go on.'))
      expect(await app.compact(session.id)).toMatchObject({ turn: { status: 'completed', error: null } })
      app.close()
      expect(state.compactions).toBe(2)
      done.manual++

      state.turn = 3
      const resumed = await running.resume(session, turn(3, 'To the end.'))
      expect(resumed, resumed.stderr).toMatchObject({ code: 0, stdout: expect.stringContaining('Answer 3') })
      const last = model.asked.at(-1)?.messages.join('\n') ?? ''
      for (const words of ['[pith-record:', 'Count for a while.', 'To the end.']) expect(last).toContain(words)
      expect(sentProblems(codex, model.asked)).toEqual([])
      expect(readFileSync(session.file, 'utf8').includes(OWN_ITEM)).toBe(form === 'as an item')
      done.resumed++
    }
    rows.push([form, ...Object.values(done).map((count) => `${count} of ${ROUNDS}`)])
  },
)

/** A gateway of which Codex thinks that it is OpenAI. */
async function itemGateway(upstream: string): Promise<string> {
  const store = await openStore(':memory:')
  const key = new Uint8Array(32).fill(7)
  const mode = answerMode({
    store,
    key,
    policy: {},
    holder: 'test:1',
    owner: 'local',
    clock: Date.now,
    modelInfo: () => ({ contextWindow: 200_000 }),
    summaries: 'same-request',
    configured: async () => [],
  })
  return (await gatewayWorld(upstream, { store, mode, key })).url
}
