import { beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { openContext } from '../../src/engine/context/open-context.ts'
import { type EntryDraft, type Message, messagesOf, textOf } from '../../src/model/types.ts'
import { compactSession, recall, redo, undo } from '../../src/session/index.ts'
import {
  fulfilWishes,
  leaveOut,
  previewLeaveOut,
  putBackLeftOut,
  waitingLeaveOuts,
} from '../../src/session/leave-out.ts'
import { LiveSession } from '../../src/session/live-session.ts'
import { openSession } from '../../src/session/open-session.ts'
import { pin, redactEntries } from '../../src/session/user-changes.ts'
import { openStore } from '../../src/store/open-store.ts'
import type { Store } from '../../src/store/store.ts'
import { assistant, call, modelSaying, result, user } from '../support/messages.ts'

let store: Store
let live: LiveSession

const LONG = 'The old way fails again with the same trace. '.repeat(200)
const LOOKED = 'I looked at the parser, and the loop over its tokens is the slow part. '.repeat(150)
const PRICED = { provider: 'acme', model: 'large', contextWindow: 200_000 } as const
const prices = { input: 3, output: 15, cacheRead: 0.3, cacheWrite: 3.75 }
const HOLDER = { holder: 'test' }

/** #1-#2 a question, #3-#8 a detour with an edit and a commit, #9-#10 another question. */
const detour: readonly Message[] = [
  user('Make the parser faster.'),
  assistant(LOOKED),
  user('Try it with a cache. Never touch the lexer.'),
  call('w', 'write', { path: 'src/cache.ts', content: 'export const cache = 1' }),
  result('w', 'File written', 'write'),
  call('b', 'bash', { command: 'git commit -m "Add a cache"' }),
  result('b', `[main 1a2b3c4] Add a cache\n 1 file changed\n${LONG}`, 'bash'),
  assistant(`The cache did not help, because ${LONG}`),
  user('Now without it.'),
  assistant('Done without it.'),
]

beforeEach(async () => {
  store = await openStore(':memory:')
  onTestFinished(() => store.close())
  const { id } = await store.createSession({ owner: 'ann', workspace: '/repo' })
  await store.append(
    id,
    detour.map((message): EntryDraft => ({ type: 'message', message })),
  )
  live = await LiveSession.open(store, id)
})

function session() {
  return { live, context: () => live.context({ model: { ...PRICED, prices } }) }
}

async function leave(what: string, more: { when?: 'cold'; requestedBy?: 'model' } = {}) {
  const done = await leaveOut(store, session(), what, { requestedBy: 'user', ...more })
  await live.refresh()
  return done
}

async function back(seq: number) {
  const done = await putBackLeftOut(store, session(), seq)
  await live.refresh()
  return done
}

const texts = () => messagesOf(live.view).map(textOf)
const LINE = /^\[#3–#8 left out by the user: 6 messages, \d+ tokens; recall #3-#8 shows them\]$/

describe('a range that is left out', () => {
  it('is one line in the view, says what it costs, and comes back with an undo, also after a restart', async () => {
    const before = messagesOf(live.view)
    const done = await leave('#3-#8')
    expect(done).toMatchObject({ ok: true, entry: { type: 'leave-out', requestedBy: 'user' }, plan: { parts: 6 } })
    if (!done.ok) throw new Error(done.reason)
    expect(done.plan.cost).toMatchObject({ breaksFrom: 3 })
    expect(done.plan.cost.savedPerRequest).toBeGreaterThan(0)
    expect(done.entry.tokensAfter).toBeLessThan(done.entry.tokensBefore)
    expect(texts()).toEqual([textOf(detour[0] as Message), LOOKED, expect.stringMatching(LINE), ...LAST])
    expect(messagesOf((await openSession(store, live.id)).view)).toEqual(messagesOf(live.view))
    await undo(store, live.id)
    expect(messagesOf((await openSession(store, live.id)).view)).toEqual(before)
    await redo(store, live.id)
    await live.refresh()
    expect(texts()[2]).toMatch(LINE)
  })

  it('grows to whole steps: a call never loses its result', async () => {
    const done = await leave('#5')
    expect(done).toMatchObject({ ok: false, reason: '#5 is not left out: the line instead of it would be as long' })
    expect(await leave('#7')).toMatchObject({ ok: true, entry: { targets: [{ from: 6, upTo: 7 }] } })
  })

  it('keeps what is pinned in its middle, and says so', async () => {
    await pin(store, live.id, 5)
    await live.refresh()
    const done = await leave('#3-#8')
    expect(done).toMatchObject({ ok: true, plan: { kept: [{ seqs: [4, 5], why: 'pinned' }] } })
    expect(texts().filter((text) => text.includes('left out by the user'))).toHaveLength(2)
    expect(messagesOf(live.view)).toContainEqual(detour[4])
  })

  it('is found by recall, and a redaction inside it is for ever', async () => {
    await leave('#3-#8')
    expect((await recall(store, live.id, '#8')).map(({ seq }) => seq)).toEqual([8])
    await redactEntries(store, live.id, [8])
    await live.refresh()
    await back(3)
    expect(texts().join('\n')).not.toContain('did not help')
    expect(texts()).toContain('[redacted by the user]')
  })

  it('comes back with put-back, by any of its messages, after other changes as well', async () => {
    await leave('#3-#8')
    await store.append(live.id, [{ type: 'mask', targets: [2], tokensBefore: 2, tokensAfter: 1 }])
    await live.refresh()
    expect(await back(7)).toMatchObject({ ok: true, what: '#3–#8' })
    expect(messagesOf(live.view)).toEqual(detour)
    expect(await back(7)).toMatchObject({ ok: false, code: 'nothing', reason: '#7 is not left out' })
  })
})

const LAST = ['Now without it.', 'Done without it.']

it('the turn of a message, the results of a tool and those about a file can be left out', async () => {
  expect(await leave('turn:#4')).toMatchObject({ ok: true, entry: { targets: [{ from: 3, upTo: 8 }] } })
  await back(3)
  expect(await leave('tool:bash')).toMatchObject({ ok: true, entry: { what: { tool: 'bash' } }, plan: { parts: 1 } })
  expect(JSON.stringify(messagesOf(live.view)[6])).toContain('[left out by the user: ')
  expect(messagesOf(live.view)[5]).toEqual(detour[5])
  await back(7)
  expect(messagesOf(live.view)).toEqual(detour)
  expect(await leave('file:src/none.ts')).toMatchObject({ ok: false, reason: 'file:src/none.ts is not in the context' })
})

it('several messages are left out at once, and one step of them only once', async () => {
  const done = await leave('#2, #6, #7')
  expect(done).toMatchObject({
    ok: true,
    plan: { parts: 3 },
    entry: {
      targets: [
        { from: 2, upTo: 2 },
        { from: 6, upTo: 7 },
      ],
    },
  })
  await undo(store, live.id)
  await live.refresh()
  expect(messagesOf(live.view)).toEqual(detour)
})

it('nothing is changed on a view that another process has changed meanwhile', async () => {
  await store.append(live.id, [{ type: 'mask', targets: [2], tokensBefore: 2, tokensAfter: 1 }])
  expect(await leaveOut(store, session(), '#3-#8')).toMatchObject({ ok: false, code: 'superseded' })
  await live.refresh()
  expect(await leave('#3-#8')).toMatchObject({ ok: true })
})

it('a stored session is named by its id, with a preview first', async () => {
  const settings = { model: { ...PRICED, prices } }
  const preview = await previewLeaveOut(store, live.id, '#3-#8', settings)
  expect(preview).toMatchObject({ ok: true, plan: { parts: 6, cost: { breaksFrom: 3 } } })
  expect(messagesOf((await openSession(store, live.id)).view)).toEqual(detour)
  const done = await leaveOut(store, live.id, '#3-#8', settings)
  expect(done).toMatchObject({ ok: true, entry: { requestedBy: 'user' }, plan: preview.ok ? preview.plan : {} })
  expect(await putBackLeftOut(store, live.id, 5, settings)).toMatchObject({ ok: true, what: '#3–#8' })
  expect(messagesOf((await openSession(store, live.id)).view)).toEqual(detour)
})

it('what nobody has read stays', async () => {
  await live.append([{ type: 'message', message: user(LONG) }])
  expect(await leave('#11')).toMatchObject({
    ok: false,
    reason: '#11 stays. #11 stays: the model has not read it yet.',
  })
})

it('a model may leave out neither the user’s words, nor its current turn, nor what the user has put back', async () => {
  expect(await leave('#10', { requestedBy: 'model' })).toMatchObject({ ok: false })
  const done = await leave('#3-#8', { requestedBy: 'model' })
  expect(done).toMatchObject({
    ok: true,
    entry: { targets: [{ from: 4, upTo: 8 }] },
    plan: { kept: [{ seqs: [3], why: 'user-words' }] },
  })
  await back(4)
  expect(await leave('#4-#8', { requestedBy: 'model' })).toMatchObject({ ok: false })
})

describe('a compaction after a leave-out', () => {
  it('gives the summariser one line, and the record still has what changed and what the user said', async () => {
    await leave('#3-#8')
    const model = modelSaying('## Current state\n- The parser was made faster without a cache.')
    const policy = { keepTokens: 1, triggerPercent: 80 } as const
    const done = await compactSession(store, live.id, { ...HOLDER, summaryModels: [model], policy })
    expect(done.compacted).toBe(true)
    const asked = JSON.stringify(model.requests)
    expect(asked).toContain('#3–#8 left out by the user')
    expect(asked).not.toContain('The old way fails again')
    await live.refresh()
    const record = JSON.stringify(messagesOf(live.view))
    for (const fact of ['src/cache.ts', '1a2b3c4', 'Never touch the lexer']) expect(record).toContain(fact)
    expect(record).not.toContain('The old way fails again')
    expect(live.log.find(({ type }) => type === 'compaction')).toMatchObject({ standsFor: expect.any(Number) })
    const covered = await back(3)
    expect(covered).toMatchObject({ ok: false, code: 'covered' })
    expect(covered.ok ? '' : covered.reason).toContain('recall #3-#8 shows it')
  })

  it('is written in one line by a digest, too', async () => {
    await leave('#3-#8')
    const done = await compactSession(store, live.id, { ...HOLDER, policy: { keepTokens: 1, rungs: ['digest'] } })
    expect(done.compacted).toBe(true)
    await live.refresh()
    const record = JSON.stringify(messagesOf(live.view))
    expect(record).toContain('#3–#8 left out by the user')
    expect(record).not.toContain('The old way fails again')
  })
})

describe('a wish to leave something out later', () => {
  it('changes nothing until a compaction is due, and then comes first', async () => {
    const before = messagesOf(live.view)
    expect(await leave('#3-#8', { when: 'cold' })).toMatchObject({ ok: true, entry: { waits: true } })
    expect(messagesOf(live.view)).toEqual(before)
    expect(waitingLeaveOuts(openContext(live.log))).toHaveLength(1)
    const model = modelSaying('## Current state\n- The parser was made faster.')
    const done = await compactSession(store, live.id, { ...HOLDER, summaryModels: [model], policy: { keepTokens: 1 } })
    expect(done.compacted).toBe(true)
    expect(JSON.stringify(model.requests)).not.toContain('The old way fails again')
    await live.refresh()
    expect(waitingLeaveOuts(openContext(live.log))).toEqual([])
  })

  it('keeps a warm model from reading it: the last request still has it', async () => {
    await leave('#3-#8', { when: 'cold' })
    const warm = modelSaying('## Current state\n- The old way fails again.')
    const asked: string[] = []
    const stream = (directive: string, signal: AbortSignal) => {
      asked.push(directive)
      return warm.stream({ system: '', messages: [] }, signal)
    }
    const model = modelSaying('## Current state\n- The parser was made faster.')
    const input = { ...HOLDER, summaryModels: [model], policy: { keepTokens: 1 }, model: PRICED }
    const done = await compactSession(store, live.id, { ...input, warm: { name: 'acme/large', stream } })
    expect(done.compacted).toBe(true)
    expect(asked).toEqual([])
  })

  it('is done when the cache is cold; undoing that ends the wish', async () => {
    await leave('#3-#8', { when: 'cold' })
    expect(await fulfilWishes(store, session())).toMatchObject([{ type: 'leave-out', wish: 11 }])
    await live.refresh()
    expect(texts()[2]).toMatch(LINE)
    await undo(store, live.id)
    await live.refresh()
    expect(messagesOf(live.view)).toEqual(detour)
    expect(await fulfilWishes(store, session())).toEqual([])
  })

  it('can be taken back', async () => {
    await leave('#3-#8', { when: 'cold' })
    expect(await back(3)).toMatchObject({ ok: true })
    expect(waitingLeaveOuts(openContext(live.log))).toEqual([])
  })
})
