import { getEventListeners } from 'node:events'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { SummaryModel } from '../../../src/model/types.ts'
import type { CompactSessionInput } from '../../../src/session/compaction/compact-session.ts'
import {
  dropPreparation,
  isTimeToPrepare,
  type PreparedCompaction,
  prepareCompaction,
  putPrepared,
} from '../../../src/session/compaction/prepared-compaction.ts'
import { LiveSession } from '../../../src/session/live-session.ts'
import type { Store } from '../../../src/store/store.ts'
import { assistant, user } from '../../support/messages.ts'
import { temporaryStore } from '../../support/store.ts'

const summary = '## Goal\nTo mend the parser, of which src/file-0.ts and src/file-1.ts are read, and what is around it.'

/** A session, and a compaction of it that this model prepares. */
async function preparedBy(
  model: SummaryModel,
): Promise<{ store: Store; live: LiveSession; compaction: PreparedCompaction }> {
  const { store, remove } = await temporaryStore()
  onTestFinished(remove)
  const { id } = await store.createSession({ owner: 'ann', workspace: '/repo' })
  const live = await LiveSession.open(store, id)
  const said = [0, 1, 2, 3, 4, 5].flatMap((i) => [user(`look at src/file-${i}.ts`), assistant('its text '.repeat(800))])
  await live.append(said.map((message) => ({ type: 'message', message })))
  const compaction = prepareCompaction(
    live,
    {
      holder: 'test',
      reason: 'threshold',
      model: { contextWindow: 12_000 },
      policy: { keepTokens: 1_000, rungs: ['cold'] },
      summaryModels: [model],
    },
    { tokens: 6_000, trigger: 6_500, target: 4_000 },
  )
  return { store, live, compaction }
}

const prepared = (answer: () => string) =>
  preparedBy({
    name: 'test/model',
    async *stream() {
      yield answer()
    },
  })

const taker = { holder: 'test', signal: new AbortController().signal, onTaken: () => {} }
const changes = ({ log }: LiveSession) => log.filter(({ type }) => type !== 'message')

describe('a compaction that was prepared', () => {
  it('is put in place, and is reported with the entries that the log has', async () => {
    const { live, compaction } = await prepared(() => summary)
    const put = await putPrepared(live, compaction, taker)
    await live.refresh()
    expect(put).toMatchObject({ kind: 'put', result: { entries: changes(live) } })
    expect(changes(live)).toMatchObject([{ type: 'compaction' }])
  })

  it('leaves a note of what it has cost when it is not needed any more', async () => {
    const { live, compaction } = await prepared(() => summary)
    await compaction.result
    const reason = 'A prepared summary was not used: the model was changed'
    expect(await dropPreparation(live, compaction, 'the model was changed')).toEqual({ kind: 'wasted', why: reason })
    expect(changes(live)).toMatchObject([{ type: 'attempt', outcome: 'skipped', reason, model: 'test/model' }])
  })

  it.each([
    ['of a summary', () => summary],
    [
      'of a failure',
      () => {
        throw new Error('no')
      },
    ],
  ])('leaves no note %s in a session that was deleted meanwhile', async (_, answer) => {
    const { store, live, compaction } = await prepared(answer)
    await compaction.result
    await store.deleteSession(live.id)
    expect(await dropPreparation(live, compaction, 'the session was closed')).toBeUndefined()
  })

  it.each(['put', 'dropped'])('counts for the breaker when no summary came of it and it is %s', async (how) => {
    const { live, compaction } = await prepared(() => {
      throw new Error('no')
    })
    await compaction.result
    const end = how === 'put' ? putPrepared(live, compaction, taker) : dropPreparation(live, compaction, 'of another')
    expect(await end).toEqual({ kind: 'failed' })
    expect(changes(live)).toMatchObject([{ type: 'attempt', outcome: 'failed' }])
  })

  it('is wasted when the view has changed since, and the log says why', async () => {
    const { store, live, compaction } = await prepared(() => summary)
    await compaction.result
    await store.append(live.id, [{ type: 'mask', targets: [], tokensBefore: 0, tokensAfter: 0 }])
    const why = 'A prepared summary was not used: the view has changed meanwhile'
    expect(await putPrepared(live, compaction, taker)).toEqual({ kind: 'wasted', why })
    expect(changes(live)).toMatchObject([
      { type: 'mask' },
      { type: 'attempt', outcome: 'skipped', reason: why, model: 'test/model' },
    ])
  })

  it('is wasted when the messages since do not fit after it', async () => {
    const { live, compaction } = await prepared(() => summary)
    await compaction.result
    await live.append([{ type: 'message', message: user('word '.repeat(20_000)) }])
    const put = await putPrepared(live, compaction, taker)
    expect(put).toMatchObject({
      kind: 'wasted',
      why: expect.stringMatching(
        /^A prepared summary was not used: With the messages that came meanwhile the context has/,
      ),
    })
  })

  it('is wasted when a message that it replaces was pinned since', async () => {
    const { live, compaction } = await prepared(() => summary)
    await compaction.result
    await live.append([{ type: 'pin', target: 1, on: true }])
    expect(await putPrepared(live, compaction, taker)).toMatchObject({
      kind: 'wasted',
      why: 'A prepared summary was not used: A message that it would replace was pinned meanwhile',
    })
  })

  it('is left alone while another works in the session, and the session is free after it was put', async () => {
    const { store, live, compaction } = await prepared(() => summary)
    const lease = await store.acquireLease(live.id, 'the other', 60_000)
    const taken: string[] = []
    const watching = { ...taker, onTaken: () => taken.push('taken') }
    expect(await putPrepared(live, compaction, watching)).toBeUndefined()
    expect(taken).toEqual([])
    if (lease.ok) await store.releaseLease(live.id, lease.token)
    expect(await putPrepared(live, compaction, watching)).toMatchObject({ kind: 'put' })
    expect(taken).toEqual(['taken'])
    expect(await store.acquireLease(live.id, 'the other', 60_000)).toMatchObject({ ok: true })
  })

  it.each(['before', 'while'])('is given up, without a note, when it is cancelled %s it is put', async (when) => {
    const asked = Promise.withResolvers<void>()
    const { live, compaction } = await preparedBy({
      name: 'test/slow',
      async *stream(_, signal) {
        asked.resolve()
        await new Promise((resolve) => signal.addEventListener('abort', resolve))
        yield summary
      },
    })
    await asked.promise
    const stop = new AbortController()
    if (when === 'before') stop.abort()
    const put = putPrepared(live, compaction, {
      ...taker,
      signal: stop.signal,
      onTaken: () => setImmediate(() => stop.abort()),
    })
    expect(await put).toEqual({ kind: 'failed' })
    expect(changes(live)).toEqual([])
    expect(getEventListeners(stop.signal, 'abort')).toEqual([])
  })

  it('of nothing leaves no note', async () => {
    const { store, remove } = await temporaryStore()
    onTestFinished(remove)
    const { id } = await store.createSession({ owner: 'ann', workspace: '/repo' })
    const live = await LiveSession.open(store, id)
    const compaction = prepareCompaction(live, { holder: 'test', reason: 'threshold' }, { tokens: 1 })
    expect(await compaction.result).toMatchObject({ outcome: 'skipped' })
    expect(await dropPreparation(live, compaction, 'it was not needed')).toBeUndefined()
    expect(await putPrepared(live, compaction, taker)).toEqual({ kind: 'failed' })
    expect((await store.entries(id)).entries).toEqual([])
  })
})

describe('the room that a prepared compaction leaves', () => {
  /** The tokens of the context after a compaction that was prepared at this fullness. */
  async function tokensAt(tokens: number): Promise<number> {
    const { store, remove } = await temporaryStore()
    onTestFinished(remove)
    const { id } = await store.createSession({ owner: 'ann', workspace: '/repo' })
    const live = await LiveSession.open(store, id)
    const said = Array.from({ length: 90 }, (_, i) => [user(`look at ${i}`), assistant('its text '.repeat(40))]).flat()
    await live.append(said.map((message) => ({ type: 'message', message })))
    const input: CompactSessionInput = { holder: 'test', reason: 'threshold', policy: { rungs: ['digest'] } }
    const result = await prepareCompaction(live, input, { tokens, trigger: 6_500, target: 4_000 }).result
    return result?.tokensAfter ?? 0
  }

  it('is for what is said until its time has come, and not for more', async () => {
    const [early, late] = [await tokensAt(5_500), await tokensAt(6_400)]
    // 1,000 tokens to the trigger and a tenth of it beyond are to come, so 2,350 of the target are left.
    expect(early).toBeLessThanOrEqual(2_350)
    expect(early).toBeGreaterThan(1_500)
    expect(late).toBeLessThanOrEqual(3_250)
    expect(late).toBeGreaterThan(2_350)
  })
})

it.each([
  [0, { tokens: 90, trigger: 100 }, false],
  [80, { tokens: 90 }, false],
  [80, { tokens: 79, trigger: 100 }, false],
  [80, { tokens: 80, trigger: 100 }, true],
  [80, { tokens: 99, trigger: 100 }, true],
  [80, { tokens: 100, trigger: 100 }, false],
])('from %i percent on, a compaction is prepared at %j: %s', (percent, fullness, isTime) => {
  expect(isTimeToPrepare(percent, fullness)).toBe(isTime)
})
