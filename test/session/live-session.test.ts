import { DatabaseSync } from 'node:sqlite'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type Context, statusIn } from '../../src/engine/context/context.ts'
import { openContext } from '../../src/engine/context/open-context.ts'
import { EMPTY_FOLD_CACHE } from '../../src/engine/context/view/plain-view.ts'
import { messagesOf, type SummaryModel } from '../../src/model/types.ts'
import { LiveSession } from '../../src/session/live-session.ts'
import { openSession } from '../../src/session/open-session.ts'
import { editSummary, loggedStep, pin, putBack, redo, undo } from '../../src/session/user-changes.ts'
import type { Store } from '../../src/store/store.ts'
import { assistant, call, result, user } from '../support/messages.ts'
import { temporaryStore } from '../support/store.ts'

let temporary: Awaited<ReturnType<typeof temporaryStore>>
let live: LiveSession
let turns = 0

beforeEach(async () => {
  temporary = await temporaryStore()
  const { id } = await temporary.store.createSession({ owner: 'ann', workspace: '/repo' })
  live = await LiveSession.open(temporary.store, id)
  // From now on it is held, and follows the log.
  live.context(settings)
  turns = 0
})
afterEach(() => temporary.remove())

const model: SummaryModel = {
  name: 'test/model',
  async *stream() {
    yield '## Goal\nTo mend the parser, of which src/file-0.ts and src/file-1.ts are read, and what is around it.'
  },
}

async function talk(count = 6): Promise<void> {
  for (const end = turns + count; turns < end; turns++) {
    const messages = [
      user(`please look at src/file-${turns}.ts ${'and at what is around it '.repeat(20)}`),
      call(`c${turns}`, 'read', { path: `src/file-${turns}.ts` }),
      result(`c${turns}`, 'its text '.repeat(200)),
      assistant(`done with ${turns}`),
    ]
    await live.append(messages.map((message) => ({ type: 'message', message })))
  }
}

const settings = { model: { contextWindow: 12_000 }, policy: { keepTokens: 1_000 } }
const compact = (summaryModel: SummaryModel = model) =>
  live.compact({ holder: 'test', ...settings, summaryModels: [summaryModel] })

// biome-ignore lint/correctness/useYield: it fails before it says anything.
async function* refusing(): AsyncGenerator<string> {
  throw new Error('no answer')
}

/** The session in memory equals the session that is opened again. */
async function isAsStored(): Promise<void> {
  const stored = await openSession(temporary.store, live.id)
  expect(messagesOf(live.view)).toEqual(messagesOf(stored.view))
  expect({ ...live.view, items: [] }).toEqual({ ...stored.view, items: [] })
  expect(live.log.map(({ seq, type }) => `${seq} ${type}`)).toEqual(stored.log.map(({ seq, type }) => `${seq} ${type}`))
  expect(live.session).toEqual(stored.session)
  const context = openContext(stored.log, settings, { view: stored.view, made: EMPTY_FOLD_CACHE })
  expect(stateOf(live.context(settings))).toEqual(stateOf(context))
}

/** Everything that can be read from a Context. */
function stateOf(context: Context) {
  const { log, budget, estimator, calibration, breaker, sizes } = context
  const { learned, base } = calibration
  const entries = log.slice().map(({ seq, id, at }) => ({ seq, id, at }))
  const totals = sizes.totals.slice()
  return { entries, budget, estimator: estimator.name, learned, base, breaker, totals, status: statusIn(context) }
}

describe('a live session', () => {
  it('is after every compaction what opening it again gives', async () => {
    for (let i = 0; i < 3; i++) {
      await talk()
      expect(await compact()).toMatchObject({ outcome: 'compacted', rung: 'cold' })
      await isAsStored()
    }
    expect(live.log.filter(({ type }) => type === 'message').length).toBeLessThan(turns * 4)
  })

  it('is so after reductions of every kind, and after failures, whose times are those of its log', async () => {
    await talk(12)
    const policy = { keepTokens: 500, tokenLimit: 4_000, rungs: ['mask' as const] }
    const masked = await live.compact({ holder: 'test', ...settings, policy, reason: 'threshold' })
    expect(masked).toMatchObject({ rung: 'mask' })
    await isAsStored()
    await talk()
    const failing: SummaryModel = { ...model, stream: refusing }
    expect(await compact(failing)).toMatchObject({ outcome: 'compacted', rung: 'digest' })
    await isAsStored()
    expect(live.context(settings).breaker.failures).toBe(1)
  })

  it('takes over what is said while it compacts', async () => {
    await talk()
    const talking: SummaryModel = {
      name: 'test/talking',
      async *stream() {
        await live.append([{ type: 'message', message: user('one more thing') }])
        yield '## Goal\nTo mend the parser, of which src/file-0.ts and src/file-1.ts are read, and what is around it.'
      },
    }
    expect(await compact(talking)).toMatchObject({ outcome: 'compacted' })
    await isAsStored()
    expect(messagesOf(live.view).at(-1)).toEqual(user('one more thing'))
  })

  it('that others have compacted meanwhile reads the session again, and its own is planned on that', async () => {
    await talk()
    const other = await LiveSession.open(temporary.store, live.id)
    await talk()
    await other.refresh()
    expect(await compact()).toMatchObject({ outcome: 'compacted' })
    await talk()
    const late = await other.compact({ holder: 'other', model: { contextWindow: 12_000 }, summaryModels: [model] })
    expect(late).toMatchObject({ outcome: 'compacted' })
    await live.refresh()
    await isAsStored()
  })

  it('has what a compaction keeps of its span in its log, and in its view after the next change', async () => {
    await talk()
    await live.append([{ type: 'pin', target: 5, on: true }])
    await compact()
    const compaction = live.log.findLast((entry) => entry.type === 'compaction')
    expect(compaction).toMatchObject({ from: expect.toSatisfy((from) => from <= 5), keep: [5] })
    expect(live.log.filter(({ type }) => type === 'message').map(({ seq }) => seq)).toContain(5)
    await isAsStored()
    await live.append([{ type: 'edit', of: compaction?.seq ?? 0, summary: 'In the user’s own words.' }])
    expect(messagesOf(live.view)).toContainEqual(user(expect.stringContaining('src/file-1.ts')))
    await isAsStored()
  })

  it('has nothing that another process redacts, neither in its view nor in its log', async () => {
    const other = await temporary.reopen()
    await live.append([{ type: 'message', message: user('the password is hunter2') }])
    await talk()
    await other.redact(live.id, [1])
    await live.refresh()
    expect(JSON.stringify([live.log, messagesOf(live.view)])).not.toContain('hunter2')
    await isAsStored()
  })

  it('has nothing that another process redacts in the range of its summary', async () => {
    const other = await temporary.reopen()
    await live.append([{ type: 'message', message: user('never print hunter2') }])
    await talk()
    const telling: SummaryModel = {
      name: 'test/telling',
      async *stream() {
        yield '## Goal\nTo mend the parser and never to print hunter2.'
      },
    }
    expect(await compact(telling)).toMatchObject({ outcome: 'compacted' })
    expect(JSON.stringify(messagesOf(live.view))).toContain('hunter2')
    await other.redact(live.id, [1])
    await live.append([{ type: 'message', message: user('go on') }])
    expect(JSON.stringify([live.log, messagesOf(live.view)])).not.toContain('hunter2')
    await isAsStored()
  })

  it('reports an entry of another process that cannot be read, and continues after it', async () => {
    const other = await temporary.reopen()
    await talk(1)
    for (const text of ['broken', 'whole']) await other.append(live.id, [{ type: 'message', message: user(text) }])
    const database = new DatabaseSync(temporary.path)
    database.exec("UPDATE entries SET body = '{' WHERE seq = 5")
    database.close()
    await live.refresh()
    expect(live.bad.map(({ seq }) => seq)).toEqual([5])
    expect(messagesOf(live.view).at(-1)).toEqual(user('whole'))
    await isAsStored()
  })

  it('follows pins, edits, undos and redos after a compaction', async () => {
    await talk()
    await pin(temporary.store, live.id, 1)
    await compact()
    const compaction = live.log.findLast(({ type }) => type === 'compaction')
    await editSummary(temporary.store, live.id, compaction?.seq ?? 0, 'In the user’s own words.')
    await live.refresh()
    await isAsStored()
    for (const change of [undo, undo, redo]) {
      await change(temporary.store, live.id)
      await live.refresh()
      await isAsStored()
    }
    await talk()
    await compact()
    await isAsStored()
  })

  it('has what another process puts back into the view, although its log did not have it any more', async () => {
    await talk()
    await compact()
    expect(live.log.map(({ seq }) => seq)).not.toContain(1)
    await putBack(temporary.store, live.id, await loggedStep(temporary.store, live.id, 1), live.session)
    await live.refresh()
    expect(JSON.stringify(messagesOf(live.view))).toContain('please look at src/file-0.ts')
    await isAsStored()
  })
})

describe('a session in use', () => {
  /** The store, and the names of the calls that it gets. */
  function counted() {
    const calls: string[] = []
    const { store: real } = temporary
    const store: Store = {
      ...real,
      append: (...input) => {
        calls.push('append')
        return real.append(...input)
      },
      session: (...input) => {
        calls.push('session')
        return real.session(...input)
      },
      entries: (...input) => {
        calls.push('entries')
        return real.entries(...input)
      },
    }
    return { store, calls }
  }

  it('takes over what it appends without reading it again', async () => {
    const { store, calls } = counted()
    const own = await LiveSession.open(store, live.id)
    calls.length = 0
    await own.append([{ type: 'message', message: user('one') }])
    expect(calls).toEqual(['append'])
    expect(own.session.lastSeq).toBe(1)
    expect(messagesOf(own.view)).toEqual([user('one')])
  })

  it('asks only for the end of the log while no other process has added to it, and reads what others said', async () => {
    const { store, calls } = counted()
    const own = await LiveSession.open(store, live.id)
    calls.length = 0
    await own.refresh()
    expect(calls).toEqual(['session'])
    await live.append([{ type: 'message', message: user('of another') }])
    await own.refresh()
    expect(messagesOf(own.view)).toEqual([user('of another')])
  })

  it('that is opened again has what others said since', async () => {
    const own = await LiveSession.open(temporary.store, live.id)
    await live.append([{ type: 'message', message: user('of another') }])
    await own.reopen()
    expect(messagesOf(own.view)).toEqual([user('of another')])
  })
})
