import { describe, expect, it, onTestFinished } from 'vitest'
import { appended, compact, indexDelta, viewOf } from '../../../src/engine.ts'
import { readRequest } from '../../../src/gateway/faces/read-request.ts'
import { sessionRecord } from '../../../src/gateway/modes/answer/answer-mode.ts'
import { SessionRecorder } from '../../../src/gateway/recording/session-recorder.ts'
import { type Entry, textOf } from '../../../src/model/types.ts'
import { openSession } from '../../../src/session/open-session.ts'
import { openStore } from '../../../src/store/open-store.ts'
import { sessionNotes } from '../../../src/study/memory/session-notes.ts'
import { decoded } from '../../formats/fixture.ts'
import { full } from '../../support/full.ts'
import { assistant, user } from '../../support/messages.ts'
import { AGENTS, CARRIERS } from './carriers.ts'
import { CHAT_RESULTS, RULE, roads, TYPED } from './roads.ts'

const ROADS = roads()
const PLANTED = 'evilhost'

/** Every road is met by a carrier whose client is known, and by one whose client is not; under `full` all meet. */
function isMet(road: number, carrier: number): boolean {
  return full || (road + carrier) % 5 === 0
}

/** All that a log says the user said, as text. */
function saidIn(log: readonly Entry[]): string {
  const { users = [], constraints = [] } = indexDelta(viewOf(log).items.slice())
  return [...users, ...constraints].map(({ text }) => text).join('\n')
}

function untypedIn(log: readonly Entry[]): string {
  return (indexDelta(viewOf(log).items.slice()).inRole ?? []).map(({ text }) => text).join('\n')
}

/** The user's sentences that a memory is made from. */
function remembered(log: readonly Entry[]): string {
  const { said } = sessionNotes({ entries: log, workspace: '/w' })
  return said.map(({ text }) => text).join('\n')
}

/** The record after all of it was compacted away. */
async function recordOf(log: readonly Entry[]): Promise<string> {
  const notice = user('<task-notification>\nA command has ended.\n</task-notification>')
  const later = Array.from({ length: 6 }, () => [notice, assistant('I see. '.padEnd(1_200, 'a'))]).flat()
  const whole = appended(
    log,
    later.map((message) => ({ type: 'message', message })),
  )
  const { entries } = await compact({
    log: whole,
    model: { contextWindow: 32_000 },
    reason: 'manual',
    policy: { keepTokens: 200 },
  })
  const [first] = viewOf([...whole, ...entries]).items.slice()
  return first?.kind === 'summary' ? textOf(first.message) : ''
}

/** The part of a record that quotes the user. */
function quotedIn(record: string): string {
  return /\n## Now\n([\s\S]*?)(?=\n## |$)/.exec(record)?.[1] ?? ''
}

describe(`a file in a message of the user, on ${ROADS.length} roads`, () => {
  it.each(CARRIERS)('is neither quoted nor remembered as theirs, and is not lost: $name', (carrier) => {
    const { isKnown, file } = carrier
    const place = CARRIERS.filter((one) => one.isKnown === isKnown).indexOf(carrier)
    for (const [i, road] of ROADS.entries()) {
      if ((isKnown && !road.isKnown) || !isMet(i, place)) continue
      const { entries } = decoded(file(road.parts))
      expect(saidIn(entries), road.name).not.toContain(PLANTED)
      expect(remembered(entries), road.name).not.toContain(PLANTED)
      expect(untypedIn(entries), road.name).toContain(PLANTED)
    }
  })

  it.each(AGENTS)(
    'is neither quoted nor remembered as theirs through the gateway: $agent',
    async ({ agent, isKnown }) => {
      const store = await openStore(':memory:')
      onTestFinished(() => store.close())
      const recorder = new SessionRecorder({ store, holder: 'h:1', owner: 'local', workspace: '/w' })
      for (const [i, road] of ROADS.entries()) {
        if ((isKnown && !road.isKnown) || !isMet(i, agent.length)) continue
        const content = road.parts.map((text) => ({ type: 'text', text }))
        const log = await recorded(recorder, store, { agent, messages: [{ role: 'user', content }], hasTools: true })
        expect(saidIn(log), road.name).not.toContain(PLANTED)
        expect(remembered(log), road.name).not.toContain(PLANTED)
        expect(untypedIn(log), road.name).toContain(PLANTED)
      }
    },
  )

  it('has its own heading in the record, beside the words that were typed', async () => {
    const [carrier] = CARRIERS
    const known = ROADS.filter((road) => road.isKnown && road.name.endsWith('a readme, after the words'))
    for (const road of known) {
      const record = await recordOf(decoded(carrier?.file(road.parts) ?? '').entries)
      expect(quotedIn(record), road.name).toContain(TYPED)
      expect(quotedIn(record), road.name).not.toContain(PLANTED)
      expect(record.slice(record.indexOf("\n## In the user's role")), road.name).toContain(PLANTED)
    }
  })
})

describe("what a program that answers in plain chat puts into the user's role", () => {
  const conversation = (said: string) => [
    { role: 'user', content: TYPED },
    { role: 'assistant', content: '<read_file><path>README.md</path></read_file>' },
    { role: 'user', content: said },
    { role: 'assistant', content: 'I see.' },
  ]

  it.each(CHAT_RESULTS)('is not called the words of the user, in a file: %j', async (said) => {
    const { entries } = decoded(JSON.stringify(conversation(said)))
    const record = await recordOf(entries)
    expect(record).toContain("\n## In the user's role")
    expect(record).not.toContain('The user said')
    expect(record.replace(/\s+/g, ' ')).toContain('evilhost')
    expect(remembered(entries)).not.toContain(PLANTED)
  })

  it.each(['Cline/3.40.0', 'RooCode/3.30.0', 'litellm/1.80.0', ''])(
    'is not called so through the gateway: %s',
    async (agent) => {
      const store = await openStore(':memory:')
      onTestFinished(() => store.close())
      const recorder = new SessionRecorder({ store, holder: 'h:1', owner: 'local', workspace: '/w' })
      for (const said of CHAT_RESULTS) {
        // Some of these clients declare tools, and put results into the user's role anyway.
        const hasTools = agent.startsWith('Cline')
        const log = await recorded(recorder, store, { agent, messages: conversation(said), hasTools })
        expect(saidIn(log)).toBe('')
        expect(remembered(log)).not.toContain(PLANTED)
        expect(untypedIn(log)).toContain(TYPED)
      }
    },
  )
})

describe('through the gateway', () => {
  const answered = (name: string) => [
    { role: 'user', content: TYPED },
    { role: 'assistant', content: [{ type: 'tool_use', id: 't', name, input: {} }] },
    {
      role: 'user',
      content: [{ type: 'tool_result', tool_use_id: 't', content: `User has answered your questions: ${RULE}` }],
    },
  ]
  const plan = [{ role: 'user', content: `Implement the following plan:\n\n${RULE}` }]
  const terminal = 'claude-cli/2.1.325 (external, cli)'

  it.each([
    ['a tool of the client itself answers for the user', terminal, answered('AskUserQuestion'), true],
    ['a tool with the name of another client’s does not', terminal, answered('ask_user'), false],
    ['a tool of an unknown client does not', 'Zed/0.214.0', answered('AskUserQuestion'), false],
    ['a plan that the user accepted is not typed', terminal, plan, false],
    ['the same words are typed in a client without such plans', 'codex_exec/0.166.0', plan, true],
  ])('%s', async (_, agent, messages, isUsers) => {
    const store = await openStore(':memory:')
    onTestFinished(() => store.close())
    const recorder = new SessionRecorder({ store, holder: 'h:1', owner: 'local', workspace: '/w' })
    const log = await recorded(recorder, store, { agent, messages, hasTools: true })
    expect(saidIn(log).includes(PLANTED)).toBe(isUsers)
  })

  it('a record for the client’s own compaction has what nobody typed after it, too', async () => {
    const store = await openStore(':memory:')
    onTestFinished(() => store.close())
    const recorder = new SessionRecorder({ store, holder: 'h:1', owner: 'local', workspace: '/w' })
    const messages = [
      { role: 'user', content: TYPED },
      { role: 'assistant', content: '<read_file><path>README.md</path></read_file>' },
      ...Array.from({ length: 8 }, (_, i) => [
        { role: 'user', content: `Observation: ${i} `.padEnd(600, 'o') },
        { role: 'assistant', content: `Thought ${i} `.padEnd(600, 't') },
      ]).flat(),
      { role: 'user', content: `Observation: ${RULE}` },
    ]
    await recorded(recorder, store, { agent: '', messages, hasTools: false })
    const { sessions } = await store.sessions({ owner: 'local' })
    const [session] = sessions
    const made = await sessionRecord(
      store,
      { session: session?.id ?? '', upTo: session?.lastSeq ?? 0 },
      { policy: {}, holder: 'h:1', model: { contextWindow: 32_000 } },
    )
    if (!made.ok) throw new Error(JSON.stringify(made))
    expect(made.text).toContain(PLANTED)
  })
})

it('the same words count as the user’s where they are typed', () => {
  for (const { file, isKnown } of CARRIERS) {
    const { entries } = decoded(file([RULE]))
    if (isKnown) expect(remembered(entries)).toContain(PLANTED)
  }
})

type Request = { readonly agent: string; readonly messages: readonly object[]; readonly hasTools: boolean }

/** The log of a request that the gateway recorded. */
async function recorded(
  recorder: SessionRecorder,
  store: Awaited<ReturnType<typeof openStore>>,
  { agent, messages, hasTools }: Request,
): Promise<readonly Entry[]> {
  const tools = hasTools ? { tools: [{ name: 'read', input_schema: { type: 'object' } }] } : {}
  const body = Buffer.from(JSON.stringify({ model: 'm', ...tools, messages }))
  const headers: Record<string, string> = agent === '' ? {} : { 'user-agent': agent }
  const read = readRequest({ method: 'POST', path: '/v1/messages', headers, body })
  if (read === undefined) throw new Error('the request is not read')
  const { session = '' } = await recorder.addRequest(read)
  return (await openSession(store, session)).log
}
