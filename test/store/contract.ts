import fc from 'fast-check'
import { afterEach, describe, expect, it } from 'vitest'
import { REDACTED_SUMMARY } from '../../src/engine/drafts.ts'
import { redactMessage } from '../../src/engine/rewrite-message.ts'
import type { Entry, EntryDraft } from '../../src/model/entry.ts'
import { PithError } from '../../src/model/errors.ts'
import type { Seq } from '../../src/model/ids.ts'
import { type IndexDelta, mergeIndexes } from '../../src/model/log-index.ts'
import type { Message } from '../../src/model/message.ts'
import type {
  Appended,
  Change,
  EntryQuery,
  SearchQuery,
  Session,
  SessionDraft,
  SessionQuery,
  Store,
  StoreDeps,
  StoredSummary,
} from '../../src/store/store.ts'
import { full } from '../support/full.ts'
import { assistant, call, result, user } from '../support/messages.ts'

export type OpenStore = (deps: StoreDeps) => Promise<Store>

/** What every store does. `open` gives a store on a database that nobody has used. */
export function storeContract(name: string, open: OpenStore): void {
  const start = opener(open)
  describe(name, () => {
    describe('sessions', () => sessionTests(start))
    describe('append', () => appendTests(start))
    describe('the revision of an append', () => revisionTests(start))
    describe('the guard of an append', () => guardTests(start))
    describe('the key of an append', () => keyTests(start))
    describe('entries', () => entryTests(start))
    describe('what was stored', () => roundTripTests(start))
    describe('forks', () => forkTests(start))
    describe('search', () => searchTests(start))
    describe('redact', () => redactTests(start))
    describe('summaries beside the log', () => summaryTests(start))
    describe('delete', () => deleteTests(start))
    describe('leases', () => leaseTests(start))
    describe('subscribe', () => subscribeTests(start))
    describe('close', () => closeTests(start))
    describe('any sequence of appends, forks and redactions', () => propertyTests(start))
  })
}

/** What two stores on one database do, as two processes have them. `database` makes a database that nobody has used. */
export function sharedStoreContract(name: string, database: () => Promise<OpenStore>): void {
  describe(name, () => sharedTests(database))
}

// The world of a test: ids that do not sort by age, and a clock that only the test moves.

type Clock = { now: number }
type World = { readonly store: Store; readonly clock: Clock; readonly issued: ReadonlySet<string> }
type Start = () => Promise<World>

const opened: Store[] = []

afterEach(async () => {
  await Promise.all(opened.splice(0).map((store) => store.close()))
})

function opener(open: OpenStore): Start {
  return async () => {
    const clock: Clock = { now: 1_700_000_000_000 }
    const issued = new Set<string>()
    const store = await open(depsOf(clock, issued))
    opened.push(store)
    return { store, clock, issued }
  }
}

function depsOf(clock: Clock, issued = new Set<string>(), prefix = 'i'): StoreDeps {
  let count = 0
  return {
    ids: () => {
      const id = `${prefix}${((++count * 7919) % 10_007).toString(36)}-${count}`
      issued.add(id)
      return id
    },
    clock: () => clock.now,
  }
}

function create(store: Store, draft: Partial<SessionDraft> = {}): Promise<Session> {
  return store.createSession({ owner: 'ann', workspace: '/work', ...draft })
}

/** The session as it is now. */
async function sessionOf(store: Store, { id }: Session): Promise<Session> {
  return present(await store.session(id))
}

function fork(store: Store, parent: Session, seq: Seq): Promise<Session> {
  return create(store, { parent: { id: parent.id, seq } })
}

function said(message: Message): EntryDraft {
  return { type: 'message', message }
}

function texts(...contents: readonly string[]): EntryDraft[] {
  return contents.map((text) => said(user(text)))
}

async function say(store: Store, session: Session, ...contents: readonly string[]): Promise<readonly Entry[]> {
  return added(await store.append(session.id, texts(...contents)))
}

function added(appended: Appended): readonly Entry[] {
  if (!appended.ok) throw new Error(`not appended: ${JSON.stringify(appended)}`)
  return appended.entries
}

function present<T>(value: T | undefined): T {
  if (value === undefined) throw new Error('expected a value')
  return value
}

async function read(store: Store, session: Session, query?: EntryQuery): Promise<readonly Entry[]> {
  const page = await store.entries(session.id, query)
  expect(page.bad).toEqual([])
  return page.entries
}

async function seqs(store: Store, session: Session, query?: EntryQuery): Promise<Seq[]> {
  return (await read(store, session, query)).map((entry) => entry.seq)
}

async function contents(store: Store, session: Session, query?: EntryQuery): Promise<unknown[]> {
  return (await read(store, session, query)).map((entry) =>
    entry.type === 'message' ? entry.message.content : entry.type,
  )
}

async function found(store: Store, query: string | SearchQuery): Promise<Seq[]> {
  return (await store.search(typeof query === 'string' ? { text: query } : query)).map((hit) => hit.seq)
}

/** A user is told in one line. */
async function refuses(promise: Promise<unknown>): Promise<void> {
  const error = await promise.then(
    () => undefined,
    (reason: unknown) => reason,
  )
  expect(error).toBeInstanceOf(PithError)
  expect((error as PithError).message).toMatch(/^[^\r\n]+$/)
}

function compaction(fields: Partial<Extract<EntryDraft, { type: 'compaction' }>> = {}): EntryDraft {
  return {
    type: 'compaction',
    from: 1,
    upTo: 1,
    keep: [],
    summary: 'what happened',
    frame: 'pith',
    indexTokens: 100,
    userTokens: 100,
    indexDelta: {},
    messages: 1,
    reason: 'manual',
    rung: 'cold',
    tokensBefore: 100,
    tokensAfter: 50,
    ...fields,
  }
}

const mask: EntryDraft = { type: 'mask', targets: [1], tokensBefore: 10, tokensAfter: 5 }

const everyFact: IndexDelta = {
  files: [{ path: 'src/ä.ts', access: 'modified', seq: 2, modified: 2 }],
  users: [{ seq: 1, text: 'say 你好', length: 9_000 }],
  constraints: [{ text: 'never touch main', seq: 1 }],
  commands: [{ command: 'npm test', seq: 2, runs: 3, ok: false, exit: 1 }],
  errors: [{ text: 'TypeError: x', seq: 3, command: 'npm test' }],
  todos: [
    { kind: 'list', seq: 2, items: [{ text: 'one', status: 'pending' }] },
    { kind: 'change', seq: 3, id: '1', text: 'two', status: 'done' },
  ],
  identifiers: [{ kind: 'port', text: ':8080', seq: 1 }],
}

const usage = { inputTokens: 9, outputTokens: 8, cacheReadTokens: 7, cacheWriteTokens: 6, reasoningTokens: 5 }

/** One draft of each kind, with every optional field. */
const everyDraft: readonly EntryDraft[] = [
  { type: 'message', message: assistant('hello'), usage, model: 'some/model' },
  compaction({
    keep: [1],
    indexDelta: everyFact,
    squeezes: [{ target: 1, head: 2, tail: 3 }],
    flagged: ['inventedName'],
    model: 'some/model',
    usage,
    cost: 0.1 + 0.2,
    focus: 'the tests',
  }),
  mask,
  { type: 'squeeze', squeezes: [{ target: 1, head: 2, tail: 3 }] },
  { type: 'edit', of: 2, summary: 'rewritten' },
  { type: 'undo', of: 5 },
  {
    type: 'repair',
    changes: [
      { op: 'drop-message', seq: 1, why: 'empty' },
      { op: 'drop-part', seq: 1, part: 0, why: 'empty' },
      { op: 'add-result', seq: 1, toolCallId: 'c', toolName: 'read', why: 'missing' },
      { op: 'move-result', from: 1, part: 0, seq: 2, why: 'late' },
      { op: 'rename-call', seq: 1, part: 0, toolCallId: 'd', why: 'twice' },
    ],
  },
  { type: 'redact', target: 1 },
  { type: 'pin', target: 1, on: true },
  { type: 'attempt', outcome: 'failed', reason: 'no answer', model: 'some/model', usage, cost: 1e-7 },
  { type: 'settings', model: 'some/model', policy: { preset: 'kit', keepTokens: 5 }, title: 'a title' },
  { type: 'todo', items: [{ text: 'one', status: 'in-progress' }] },
]

const changing: ReadonlySet<EntryDraft['type']> = new Set([
  'compaction',
  'mask',
  'squeeze',
  'edit',
  'undo',
  'repair',
  'redact',
])

const REDACTED = redactMessage(user('anything')).content

/** The draft that the entry came from, as text. */
function body({ id: _id, seq: _seq, at: _at, ...draft }: Entry): string {
  return JSON.stringify(draft)
}

/** The keys in one order, for shapes whose order of keys means nothing. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, field]) => [key, sorted(field)]),
  )
}

function range(from: number, upTo: number): number[] {
  return Array.from({ length: upTo - from + 1 }, (_, i) => from + i)
}

function sessionTests(start: Start): void {
  it('a new session has what its draft said, the time, and no entries', async () => {
    const { store, clock, issued } = await start()
    const session = await create(store, { owner: 'bob', workspace: '/home/bob', title: 'first' })
    expect(session).toEqual({
      id: session.id,
      owner: 'bob',
      workspace: '/home/bob',
      title: 'first',
      createdAt: clock.now,
      updatedAt: clock.now,
      lastSeq: 0,
      revision: 0,
    })
    expect(issued).toContain(session.id)
    expect(await store.session(session.id)).toEqual(session)
    expect(await read(store, session)).toEqual([])
  })

  it('a session without a title has none', async () => {
    const { store } = await start()
    const session = await create(store)
    expect(session.title).toBeUndefined()
    expect(session.parent).toBeUndefined()
    expect((await sessionOf(store, session)).title).toBeUndefined()
  })

  it('a session that nobody created is undefined', async () => {
    const { store } = await start()
    expect(await store.session('nobody')).toBeUndefined()
    expect(await store.sessions()).toEqual({ sessions: [] })
  })

  it('sessions are listed newest first', async () => {
    const { store, clock } = await start()
    const ids = await createMany(store, clock, 5)
    const { sessions, next } = await store.sessions()
    expect(sessions.map((session) => session.id)).toEqual(ids.toReversed())
    expect(next).toBeUndefined()
  })

  it('a list is read page by page, each session once', async () => {
    const { store, clock } = await start()
    const ids = await createMany(store, clock, 7)
    for (const limit of [1, 2, 3, 7, 8]) {
      const pages = await allPages(store, { limit })
      expect(pages.flat()).toEqual(ids.toReversed())
      expect(Math.max(...pages.map((page) => page.length))).toBe(Math.min(limit, 7))
    }
  })

  it('paging loses no session when all are of the same moment', async () => {
    const { store } = await start()
    const ids: string[] = []
    for (let i = 0; i < 7; i++) ids.push((await create(store)).id)
    const pages = await allPages(store, { limit: 2 })
    expect(pages.flat().toSorted()).toEqual(ids.toSorted())
  })

  it('a session created between two pages does not shift the second', async () => {
    const { store, clock } = await start()
    const ids = await createMany(store, clock, 4)
    const first = await store.sessions({ limit: 2 })
    await createMany(store, clock, 1)
    const second = await store.sessions({ limit: 2, before: present(first.next) })
    expect([...first.sessions, ...second.sessions].map((session) => session.id)).toEqual(ids.toReversed())
  })

  it('a list is narrowed to an owner and to a workspace, page by page too', async () => {
    const { store, clock } = await start()
    for (const owner of ['ann', 'bob']) {
      for (const workspace of ['/a', '/ab', '/a']) {
        clock.now++
        await create(store, { owner, workspace })
      }
    }
    const all = (await store.sessions()).sessions
    const of = (owner: string) => all.filter((session) => session.owner === owner).map((session) => session.id)
    expect((await allPages(store, { owner: 'ann', limit: 2 })).flat()).toEqual(of('ann'))
    expect((await allPages(store, { workspace: '/a', limit: 1 })).flat()).toHaveLength(4)
    expect((await allPages(store, { workspace: '/a', owner: 'bob', limit: 1 })).flat()).toHaveLength(2)
    expect((await store.sessions({ owner: 'an' })).sessions).toEqual([])
  })

  it('a list is narrowed to a text of the title or the workspace, whatever characters it has', async () => {
    const { store } = await start()
    const titles = ['100% done', 'snake_case', 'back\\slash', `it's "quoted"`, '修复数据库', 'party 🎉']
    for (const title of titles) await create(store, { title })
    await create(store, { workspace: '/home/ann/rocket', title: 'plain' })
    await create(store, { workspace: '/else' })
    const titled = async (text: string) => (await store.sessions({ text })).sessions.map((session) => session.title)
    for (const [i, text] of ['0% d', 'e_c', 'k\\s', `'s "q`, '数', '🎉'].entries()) {
      expect(await titled(text)).toEqual([titles[i]])
    }
    expect(await titled('rocket')).toEqual(['plain'])
    expect(await titled('%')).toEqual(['100% done'])
    expect(await titled('_')).toEqual(['snake_case'])
    expect(await titled('\\')).toEqual(['back\\slash'])
    expect(await titled('nowhere')).toEqual([])
    expect((await store.sessions({ text: 'rocket', owner: 'bob' })).sessions).toEqual([])
  })

  it('a session takes a new title', async () => {
    const { store } = await start()
    const session = await create(store, { title: 'old' })
    const other = await create(store, { title: 'other' })
    await store.renameSession(session.id, `new 'title' "你好" 🎉 %_\\`)
    expect((await sessionOf(store, session)).title).toBe(`new 'title' "你好" 🎉 %_\\`)
    expect((await sessionOf(store, other)).title).toBe('other')
    expect((await store.sessions({ text: '你好' })).sessions).toHaveLength(1)
    expect((await store.sessions({ text: 'old' })).sessions).toEqual([])
  })

  it('a title with half an emoji or a NUL is taken', async () => {
    const { store } = await start()
    const session = await create(store, { title: 'cut \ud83c' })
    await store.renameSession(session.id, 'left\u0000 right \ud83c')
    expect((await sessionOf(store, session)).title).toContain('right')
  })

  it('an append changes the time of the session, and its last seq', async () => {
    const { store, clock } = await start()
    const session = await create(store)
    clock.now += 5_000
    await say(store, session, 'one', 'two')
    expect(await sessionOf(store, session)).toEqual({ ...session, updatedAt: clock.now, lastSeq: 2 })
  })

  it('a session that does not exist is told in one line', async () => {
    const { store } = await start()
    await refuses(store.append('nobody', texts('hello')))
    await refuses(store.entries('nobody'))
    await refuses(store.renameSession('nobody', 'title'))
    await refuses(store.deleteSession('nobody'))
    await refuses(store.redact('nobody', 1))
    await refuses(create(store, { parent: { id: 'nobody', seq: 0 } }))
    expect((await store.sessions()).sessions).toEqual([])
  })

  async function createMany(store: Store, clock: Clock, count: number): Promise<string[]> {
    const ids: string[] = []
    for (let i = 0; i < count; i++) {
      clock.now++
      ids.push((await create(store)).id)
    }
    return ids
  }

  async function allPages(store: Store, query: SessionQuery): Promise<string[][]> {
    const pages: string[][] = []
    let before: string | undefined
    do {
      const page = await store.sessions({ ...query, ...(before === undefined ? {} : { before }) })
      pages.push(page.sessions.map((session) => session.id))
      before = page.next
      expect(pages.length).toBeLessThan(20)
    } while (before !== undefined)
    return pages
  }
}

function appendTests(start: Start): void {
  it('gives each draft an id, the next seq and the time', async () => {
    const { store, clock, issued } = await start()
    const session = await create(store)
    const at = clock.now
    const first = await say(store, session, 'one', 'two')
    clock.now += 10
    const second = await say(store, session, 'three')
    const all = [...first, ...second]
    expect(all.map((entry) => [entry.seq, entry.at])).toEqual([
      [1, at],
      [2, at],
      [3, at + 10],
    ])
    expect(new Set(all.map((entry) => entry.id)).size).toBe(3)
    for (const entry of all) expect(issued).toContain(entry.id)
    expect(await read(store, session)).toEqual(all)
  })

  it('counts each session by itself', async () => {
    const { store } = await start()
    const [a, b] = [await create(store), await create(store)]
    await say(store, a, 'a1', 'a2')
    await say(store, b, 'b1')
    await say(store, a, 'a3')
    expect(await contents(store, a)).toEqual(['a1', 'a2', 'a3'])
    expect(await contents(store, b)).toEqual(['b1'])
    expect(await seqs(store, b)).toEqual([1])
  })

  it('orders by seq, also when the clock goes back', async () => {
    const { store, clock } = await start()
    const session = await create(store)
    for (const text of ['one', 'two', 'three']) {
      clock.now -= 60_000
      await say(store, session, text)
    }
    expect(await contents(store, session)).toEqual(['one', 'two', 'three'])
  })

  it('appends no draft when one of them cannot be stored', async () => {
    const { store } = await start()
    const session = await create(store)
    const bad = said(call('c', 'read', { size: 1n }))
    await expect(store.append(session.id, [...texts('one'), bad])).rejects.toThrow()
    expect(await read(store, session)).toEqual([])
    expect(await found(store, 'one')).toEqual([])
    expect((await say(store, session, 'two')).map((entry) => entry.seq)).toEqual([1])
  })

  it('appends nothing to a session that does not exist', async () => {
    const { store } = await start()
    await refuses(store.append('nobody', texts('lost')))
    expect(await found(store, 'lost')).toEqual([])
  })

  it('of no drafts is an append of nothing', async () => {
    const { store } = await start()
    const session = await create(store)
    expect(await store.append(session.id, [])).toEqual({ ok: true, entries: [] })
    expect((await sessionOf(store, session)).lastSeq).toBe(0)
  })

  it('takes ten thousand drafts at once', async () => {
    const { store } = await start()
    const session = await create(store)
    await store.append(session.id, texts(...range(1, 10_000).map((i) => `text ${i}`)))
    expect(await seqs(store, session)).toEqual(range(1, 10_000))
    expect((await sessionOf(store, session)).lastSeq).toBe(10_000)
  })

  it('gives fifty appends at once one order, without a gap and without a loss', async () => {
    const { store } = await start()
    const session = await create(store)
    const answers = await Promise.all(range(1, 50).map((i) => say(store, session, `text ${i}`)))
    const stored = await read(store, session)
    expect(stored.map((entry) => entry.seq)).toEqual(range(1, 50))
    expect(answers.flat().toSorted((a, b) => a.seq - b.seq)).toEqual(stored)
    expect(new Set(stored.map(body)).size).toBe(50)
    expect((await sessionOf(store, session)).lastSeq).toBe(50)
  })

  it('keeps the drafts of one append together among others, for every reader', async () => {
    const { store } = await start()
    const session = await create(store)
    const writes = range(1, 20).map((i) => say(store, session, `${i}`, `${i}`, `${i}`))
    const reads = await Promise.all(range(1, 20).map(() => contents(store, session)))
    await Promise.all(writes)
    for (const list of [...reads, await contents(store, session)]) {
      expect(list.length % 3).toBe(0)
      for (let i = 0; i < list.length; i += 3) expect(new Set(list.slice(i, i + 3)).size).toBe(1)
    }
  })

  it('to many sessions at once mixes nothing up', async () => {
    const { store } = await start()
    const sessions = await Promise.all(range(1, 5).map(() => create(store)))
    await Promise.all(range(1, 10).flatMap(() => sessions.map((session) => say(store, session, session.id))))
    for (const session of sessions) {
      expect(await contents(store, session)).toEqual(Array(10).fill(session.id))
      expect(await seqs(store, session)).toEqual(range(1, 10))
    }
  })
}

function revisionTests(start: Start): void {
  it.each(everyDraft)('$type counts as a change of the view, or does not', async (draft) => {
    const { store } = await start()
    const session = await create(store)
    await say(store, session, 'one')
    await store.append(session.id, [mask, draft, ...texts('two')])
    expect((await sessionOf(store, session)).revision).toBe(changing.has(draft.type) ? 3 : 2)
  })

  it('matches after messages, and the append passes', async () => {
    const { store } = await start()
    const session = await create(store)
    await say(store, session, 'one')
    const { revision } = await sessionOf(store, session)
    await say(store, session, 'two')
    expect(added(await store.append(session.id, [compaction()], { revision })).map((entry) => entry.seq)).toEqual([3])
    expect(added(await store.append(session.id, [mask], { revision: 3 })).map((entry) => entry.seq)).toEqual([4])
  })

  it('is superseded by a change, and nothing is appended', async () => {
    const { store } = await start()
    const session = await create(store)
    await say(store, session, 'one')
    await store.append(session.id, [mask])
    const before = await sessionOf(store, session)
    for (const revision of [0, 1, 3]) {
      const answer = await store.append(session.id, [...texts('lost'), compaction()], { revision })
      expect(answer).toEqual({ ok: false, reason: 'superseded', revision: 2 })
    }
    expect(await sessionOf(store, session)).toEqual(before)
    expect(await seqs(store, session)).toEqual([1, 2])
    expect(await found(store, 'lost')).toEqual([])
  })

  it('lets one of many appends pass that were planned on the same', async () => {
    const { store } = await start()
    const session = await create(store)
    await say(store, session, 'one')
    const answers = await Promise.all(range(1, 10).map(() => store.append(session.id, [compaction()], { revision: 0 })))
    expect(answers.filter((answer) => answer.ok)).toHaveLength(1)
    expect(answers.filter((answer) => !answer.ok && answer.reason === 'superseded')).toHaveLength(9)
    expect(await seqs(store, session)).toEqual([1, 2])
  })

  it('changes with a redaction', async () => {
    const { store } = await start()
    const session = await create(store)
    await say(store, session, 'one')
    await store.redact(session.id, 1)
    expect((await sessionOf(store, session)).revision).toBe(2)
    expect((await store.append(session.id, [mask], { revision: 0 })).ok).toBe(false)
  })
}

function guardTests(start: Start): void {
  it('sees exactly the entries after its seq, in order', async () => {
    const { store } = await start()
    const session = await create(store)
    await say(store, session, 'one', 'two', 'three', 'four')
    const stored = await read(store, session)
    for (const since of [0, 2, 3, 4]) {
      const seen: (readonly Entry[])[] = []
      const check = (later: readonly Entry[]) => {
        seen.push(later)
        return 'only looking'
      }
      await store.append(session.id, texts('lost'), { guard: { since, check } })
      expect(seen).toEqual([stored.slice(since)])
    }
  })

  it('refuses the append with its reason, and nothing is appended', async () => {
    const { store } = await start()
    const session = await create(store)
    await say(store, session, 'one')
    const guard = { since: 0, check: () => 'the tail has grown' }
    expect(await store.append(session.id, texts('lost', 'too'), { guard, revision: 0 })).toEqual({
      ok: false,
      reason: 'refused',
      why: 'the tail has grown',
    })
    expect(await contents(store, session)).toEqual(['one'])
    expect((await sessionOf(store, session)).lastSeq).toBe(1)
  })

  it('that has no answer lets the append pass', async () => {
    const { store } = await start()
    const session = await create(store)
    const guard = { since: 0, check: () => undefined }
    expect(added(await store.append(session.id, texts('one'), { guard }))).toHaveLength(1)
    expect(await contents(store, session)).toEqual(['one'])
  })

  it('that throws appends nothing, and the store goes on', async () => {
    const { store } = await start()
    const session = await create(store)
    const check = () => {
      throw new Error('broken guard')
    }
    await expect(store.append(session.id, texts('lost'), { guard: { since: 0, check } })).rejects.toThrow(
      'broken guard',
    )
    await say(store, session, 'one')
    expect(await contents(store, session)).toEqual(['one'])
  })

  it('is asked inside the transaction: of many that want to be the first, one is', async () => {
    const { store } = await start()
    const session = await create(store)
    const check = (later: readonly Entry[]) => (later.length === 0 ? undefined : 'not the first')
    const answers = await Promise.all(
      range(1, 10).map((i) => store.append(session.id, texts(`${i}`), { guard: { since: 0, check } })),
    )
    expect(answers.filter((answer) => answer.ok)).toHaveLength(1)
    expect(await seqs(store, session)).toEqual([1])
  })

  it('of a fork sees the shared entries too', async () => {
    const { store } = await start()
    const parent = await create(store)
    await say(store, parent, 'one', 'two', 'three')
    const child = await fork(store, parent, 2)
    await say(store, child, 'own')
    let seen: readonly Entry[] = []
    const check = (later: readonly Entry[]) => {
      seen = later
      return undefined
    }
    await store.append(child.id, texts('more'), { guard: { since: 1, check } })
    expect(seen).toEqual(await read(store, child, { from: 2, upTo: 3 }))
    expect(seen).toHaveLength(2)
  })
}

function keyTests(start: Start): void {
  it('makes a second append do nothing and answer with the entries of the first', async () => {
    const { store, clock } = await start()
    const session = await create(store)
    const first = await store.append(session.id, texts('one', 'two'), { key: 'k' })
    clock.now += 1_000
    await say(store, session, 'three')
    expect(await store.append(session.id, texts('one', 'two'), { key: 'k' })).toEqual(first)
    expect(await store.append(session.id, texts('something else'), { key: 'k' })).toEqual(first)
    expect(await contents(store, session)).toEqual(['one', 'two', 'three'])
  })

  it('also answers when the first append changed the revision that both were planned on', async () => {
    const { store } = await start()
    const session = await create(store)
    await say(store, session, 'one')
    const guard = { since: 1, check: (later: readonly Entry[]) => (later.length === 0 ? undefined : 'grown') }
    const first = await store.append(session.id, [compaction()], { key: 'k', revision: 0, guard })
    expect(first.ok).toBe(true)
    expect(await store.append(session.id, [compaction()], { key: 'k', revision: 0, guard })).toEqual(first)
    expect(await seqs(store, session)).toEqual([1, 2])
  })

  it('is not used up by an append that was refused or superseded', async () => {
    const { store } = await start()
    const session = await create(store)
    const guard = { since: 0, check: () => 'no' }
    expect((await store.append(session.id, texts('one'), { key: 'k', guard })).ok).toBe(false)
    expect((await store.append(session.id, texts('one'), { key: 'k', revision: 9 })).ok).toBe(false)
    expect(added(await store.append(session.id, texts('one'), { key: 'k' }))).toHaveLength(1)
    expect(await contents(store, session)).toEqual(['one'])
  })

  it('holds for appends at the same time', async () => {
    const { store } = await start()
    const session = await create(store)
    const answers = await Promise.all(
      range(1, 20).map((i) => store.append(session.id, texts(`a${i}`, `b${i}`), { key: 'k' })),
    )
    const stored = await read(store, session)
    expect(stored).toHaveLength(2)
    for (const answer of answers) expect(added(answer)).toEqual(stored)
  })

  it('of one session is none of another', async () => {
    const { store } = await start()
    const [a, b] = [await create(store), await create(store)]
    await store.append(a.id, texts('one'), { key: 'k' })
    await store.append(b.id, texts('two'), { key: 'k' })
    await store.append(b.id, texts('three'), { key: 'other' })
    expect(await contents(store, a)).toEqual(['one'])
    expect(await contents(store, b)).toEqual(['two', 'three'])
  })

  it('does not bring back what was redacted since', async () => {
    const { store } = await start()
    const session = await create(store)
    await store.append(session.id, texts('hunter2'), { key: 'k' })
    await store.redact(session.id, 1)
    const again = await store.append(session.id, texts('hunter2'), { key: 'k' })
    expect(JSON.stringify(again)).not.toContain('hunter2')
    expect(await seqs(store, session)).toEqual([1, 2])
  })
}

function entryTests(start: Start): void {
  /** Seqs 1 to 8; 3, 4 and 7 are no messages. */
  async function mixed(store: Store): Promise<Session> {
    const session = await create(store)
    await store.append(session.id, [...texts('one', 'two'), mask, { type: 'todo', items: [] }])
    await store.append(session.id, [...texts('five', 'six'), { type: 'pin', target: 1, on: true }, ...texts('eight')])
    return session
  }

  const cases: readonly (readonly [EntryQuery, readonly Seq[]])[] = [
    [{}, [1, 2, 3, 4, 5, 6, 7, 8]],
    [{ from: 3 }, [3, 4, 5, 6, 7, 8]],
    [{ upTo: 3 }, [1, 2, 3]],
    [{ from: 3, upTo: 5 }, [3, 4, 5]],
    [{ from: 4, upTo: 4 }, [4]],
    [{ from: 5, upTo: 4 }, []],
    [{ from: 9 }, []],
    [{ upTo: 0 }, []],
    [{ from: 0, upTo: 99 }, [1, 2, 3, 4, 5, 6, 7, 8]],
    [{ seqs: [6, 2, 2, 4] }, [2, 4, 6]],
    [{ seqs: [0, 99] }, []],
    [{ seqs: [] }, []],
    [{ seqs: range(1, 70_000) }, [1, 2, 3, 4, 5, 6, 7, 8]],
    [{ seqs: [1, 2, 3, 8], from: 2, upTo: 7 }, [2, 3]],
    [{ only: 'messages' }, [1, 2, 5, 6, 8]],
    [{ only: 'changes' }, [3, 4, 7]],
    [{ only: 'changes', from: 4 }, [4, 7]],
    [{ only: 'messages', seqs: [1, 3, 5] }, [1, 5]],
    [{ limit: 3 }, [1, 2, 3]],
    [{ limit: 0 }, []],
    [{ limit: 99 }, [1, 2, 3, 4, 5, 6, 7, 8]],
    [{ limit: 3, order: 'oldest' }, [1, 2, 3]],
    [{ limit: 3, order: 'newest' }, [6, 7, 8]],
    [{ order: 'newest' }, [1, 2, 3, 4, 5, 6, 7, 8]],
    [{ limit: 2, order: 'newest', upTo: 5 }, [4, 5]],
    [{ limit: 2, order: 'newest', only: 'messages', upTo: 6 }, [5, 6]],
    [{ limit: 2, order: 'newest', only: 'changes' }, [4, 7]],
    [{ limit: 2, from: 4, only: 'messages' }, [5, 6]],
    [{ limit: 2, order: 'newest', seqs: [1, 2, 3] }, [2, 3]],
  ]

  it('are read by range, place, kind, order and limit, and come in the order of their seq', async () => {
    const { store } = await start()
    const session = await mixed(store)
    for (const [query, expected] of cases) {
      expect({ query: brief(query), seqs: await seqs(store, session, query) }).toEqual({
        query: brief(query),
        seqs: expected,
      })
    }
  })

  it('are read the same from a fork, across the border of what it shares', async () => {
    const { store } = await start()
    const parent = await mixed(store)
    await say(store, parent, 'not for the fork')
    for (const border of [0, 1, 4, 6, 8]) {
      const child = await fork(store, parent, border)
      const drafts = (await read(store, parent))
        .slice(border, 8)
        .map(({ id: _id, seq: _seq, at: _at, ...draft }) => draft)
      await store.append(child.id, drafts as EntryDraft[])
      for (const [query, expected] of cases) {
        expect({ border, query: brief(query), seqs: await seqs(store, child, query) }).toEqual({
          border,
          query: brief(query),
          seqs: expected,
        })
      }
    }
  })

  it('of a session that has none are none', async () => {
    const { store } = await start()
    const session = await create(store)
    for (const query of [{}, { from: 1 }, { seqs: [1] }, { only: 'messages', order: 'newest', limit: 5 }] as const) {
      expect(await store.entries(session.id, query)).toEqual({ entries: [], bad: [] })
    }
  })

  function brief(query: EntryQuery): EntryQuery {
    return query.seqs === undefined ? query : { ...query, seqs: query.seqs.slice(0, 9) }
  }
}

function roundTripTests(start: Start): void {
  it.each(everyDraft)('of the type $type comes back as it was', async (draft) => {
    const { store } = await start()
    const session = await create(store)
    const [answer] = added(await store.append(session.id, [draft]))
    const [stored] = await read(store, session)
    expect(sorted(JSON.parse(body(present(stored))))).toEqual(sorted(draft))
    expect(stored).toEqual(answer)
  })

  const hostile: readonly (readonly [string, string])[] = [
    ['a NUL', 'a\u0000b\u0000'],
    ['every control character', String.fromCharCode(...range(0, 159))],
    ['half an emoji', 'high \ud83c low \udf89 reversed \udf89\ud83c'],
    ['an escape that looks like a NUL', '\\u0000 \\\\u0000 \\ud83c \\x00'],
    ['CJK and emoji', '你好，世界 こんにちは 안녕 👩‍💻🎉 e\u0301'],
    ['text of both directions and of no width', '\u202eabc\u202c \u200b\ufeff'],
    ['line ends', 'a\r\nb\rc\nd\u2028e\u2029f'],
    ['quotes and wildcards', `' " \` \\ % _ * ; -- /* $1 $& ? :a @b {} []`],
    ['the largest code points', '\u{10ffff}\uffff\ufffe\ufffd'],
    ['nothing', ''],
    ['blanks', '  \t\n  '],
  ]

  it.each(hostile)('with %s comes back byte for byte', async (_, text) => {
    const { store } = await start()
    const session = await create(store)
    const drafts: EntryDraft[] = [
      said(user(text)),
      said({
        role: 'assistant',
        content: [
          { type: 'reasoning', text, providerOptions: { anthropic: { signature: text } } },
          { type: 'tool-call', toolCallId: text, toolName: 'write', input: { [text]: [text, { deep: text }] } },
        ],
      }),
      said(result('c', text)),
      compaction({ summary: text, indexDelta: { users: [{ seq: 1, text }] }, focus: text }),
      { type: 'edit', of: 4, summary: text },
      { type: 'todo', items: [{ text, status: 'done' }] },
      { type: 'attempt', outcome: 'failed', reason: text },
    ]
    const answer = added(await store.append(session.id, drafts))
    const stored = await read(store, session)
    expect(stored).toEqual(answer)
    expect(stored.map((entry) => sorted(JSON.parse(body(entry))))).toEqual(drafts.map(sorted))
  })

  it('keeps data of a provider to the byte, the order of its keys too', async () => {
    const { store } = await start()
    const session = await create(store)
    const input: unknown = JSON.parse(
      '{"zeta":1,"alpha":{"b":[],"a":{}},"":null,"__proto__":{"x":1},"n":[0.1,1e21,1e-7,9007199254740991,-5.5,true,false]}',
    )
    const message: Message = {
      role: 'assistant',
      content: [
        {
          type: 'reasoning',
          text: 'hm',
          providerOptions: { zebra: { signature: 'x==', b: 1, a: [null] }, anthropic: { redactedData: '\u0000' } },
        },
        { type: 'tool-call', toolCallId: 'c1', toolName: 'run', input, providerOptions: { openai: { id: 'fc_1' } } },
      ],
      providerOptions: { b: { y: 2, x: 1 }, a: {} },
    }
    await store.append(session.id, [said(message)])
    const [stored] = await read(store, session)
    expect(JSON.stringify(stored?.type === 'message' && stored.message)).toBe(JSON.stringify(message))
  })

  it('is the same text whenever it is read', async () => {
    const { store } = await start()
    const session = await create(store)
    const answer = added(await store.append(session.id, everyDraft))
    const once = JSON.stringify(await read(store, session))
    expect(JSON.stringify(answer.map(sorted))).toBe(JSON.stringify((JSON.parse(once) as unknown[]).map(sorted)))
    await say(store, session, 'more')
    expect(JSON.stringify(await read(store, session, { upTo: everyDraft.length }))).toBe(once)
  })

  it('with two million characters comes back whole, and is found', async () => {
    const { store } = await start()
    const session = await create(store)
    const line = (i: number) => `line ${i} of the output, 数据 🎉 ${(i * 7919).toString(36)}\n`
    const text = `needle ${range(1, 60_000).map(line).join('')}`
    expect(text.length).toBeGreaterThan(2_000_000)
    await store.append(session.id, [said(result('c', text)), ...texts('small')])
    const [stored] = await read(store, session)
    const expected = body({ ...said(result('c', text)), id: '', seq: 0, at: 0 } as Entry)
    expect(body(present(stored)) === expected).toBe(true)
    expect(await found(store, 'needle')).toEqual([1])
    expect(await found(store, 'line 77 of')).toEqual([1])
  })

  it('does not depend on the draft, which the caller may change', async () => {
    const { store } = await start()
    const session = await create(store)
    const input = { path: 'a.ts' }
    await store.append(session.id, [said(call('c', 'read', input))])
    input.path = 'changed'
    expect(JSON.stringify(await read(store, session))).toContain('a.ts')
  })
}

function forkTests(start: Start): void {
  async function parentOf(store: Store, count: number): Promise<Session> {
    const parent = await create(store)
    await say(store, parent, ...range(1, count).map((i) => `p${i}`))
    return parent
  }

  it('share the entries of their parent up to a seq, the ids too', async () => {
    const { store, clock } = await start()
    const parent = await parentOf(store, 5)
    clock.now += 1_000
    const child = await create(store, { owner: 'bob', workspace: '/b', parent: { id: parent.id, seq: 3 } })
    expect(child).toMatchObject({
      owner: 'bob',
      workspace: '/b',
      parent: { id: parent.id, seq: 3 },
      lastSeq: 3,
      revision: 0,
      createdAt: clock.now,
    })
    expect(await store.session(child.id)).toEqual(child)
    expect(await read(store, child)).toEqual(await read(store, parent, { upTo: 3 }))
  })

  it('go on by themselves, and so does their parent', async () => {
    const { store } = await start()
    const parent = await parentOf(store, 3)
    const child = await fork(store, parent, 2)
    expect((await say(store, child, 'c3')).map((entry) => entry.seq)).toEqual([3])
    await say(store, parent, 'p4')
    await say(store, child, 'c4', 'c5')
    expect(await contents(store, parent)).toEqual(['p1', 'p2', 'p3', 'p4'])
    expect(await contents(store, child)).toEqual(['p1', 'p2', 'c3', 'c4', 'c5'])
    expect(await seqs(store, child)).toEqual([1, 2, 3, 4, 5])
    expect((await sessionOf(store, parent)).lastSeq).toBe(4)
    expect((await sessionOf(store, child)).lastSeq).toBe(5)
  })

  it('of forks share with all their ancestors', async () => {
    const { store } = await start()
    const a = await parentOf(store, 4)
    const b = await fork(store, a, 3)
    await say(store, b, 'b4', 'b5')
    const c = await fork(store, b, 4)
    await say(store, c, 'c5')
    const early = await fork(store, c, 2)
    await say(store, early, 'e3')
    await say(store, a, 'a5')
    expect(await contents(store, c)).toEqual(['p1', 'p2', 'p3', 'b4', 'c5'])
    expect(await contents(store, c, { from: 3, upTo: 5 })).toEqual(['p3', 'b4', 'c5'])
    expect(await contents(store, early)).toEqual(['p1', 'p2', 'e3'])
    expect(await contents(store, a)).toEqual(['p1', 'p2', 'p3', 'p4', 'a5'])
  })

  it('at the start share nothing, and count from 1', async () => {
    const { store } = await start()
    const parent = await parentOf(store, 2)
    const child = await fork(store, parent, 0)
    expect(await read(store, child)).toEqual([])
    expect((await say(store, child, 'c1')).map((entry) => entry.seq)).toEqual([1])
    expect(await contents(store, child)).toEqual(['c1'])
  })

  it('at an entry that is not there are refused in one line', async () => {
    const { store } = await start()
    const parent = await parentOf(store, 2)
    await refuses(fork(store, parent, 3))
    expect((await store.sessions()).sessions).toHaveLength(1)
  })

  it('have the revision of what they share', async () => {
    const { store } = await start()
    const parent = await parentOf(store, 1)
    await store.append(parent.id, [mask, ...texts('three'), mask])
    const before = await fork(store, parent, 1)
    const between = await fork(store, parent, 3)
    const after = await fork(store, parent, 4)
    const later = await fork(store, between, 2)
    expect([before, between, after, later].map((session) => session.revision)).toEqual([0, 2, 4, 2])
    expect((await store.append(between.id, [mask], { revision: 0 })).ok).toBe(false)
    expect((await store.append(between.id, [mask], { revision: 2 })).ok).toBe(true)
    expect((await sessionOf(store, parent)).revision).toBe(4)
  })

  it('of one parent do not see each other', async () => {
    const { store } = await start()
    const parent = await parentOf(store, 2)
    const children = await Promise.all(range(1, 5).map(() => fork(store, parent, 1)))
    await Promise.all(children.map((child) => say(store, child, child.id)))
    for (const child of children) expect(await contents(store, child)).toEqual(['p1', child.id])
    expect(await contents(store, parent)).toEqual(['p1', 'p2'])
  })
}

function searchTests(start: Start): void {
  it('finds the oldest and the newest of many entries, each once, and not what was redacted or deleted', async () => {
    const { store } = await start()
    const session = await create(store)
    for (let i = 1; i <= 300; i++) await say(store, session, `word-${i}-end`)
    const hits = await Promise.all([1, 127, 128, 129, 255, 256, 257, 300].map((i) => found(store, `word-${i}-end`)))
    expect(hits).toEqual([[1], [127], [128], [129], [255], [256], [257], [300]])
    for (const seq of [3, 299]) await store.redact(session.id, seq)
    expect([await found(store, 'word-3-end'), await found(store, 'word-299-end')]).toEqual([[], []])
    await store.deleteSession(session.id)
    expect([await found(store, 'word-1-end'), await found(store, 'word-300-end')]).toEqual([[], []])
  })

  async function withTexts(store: Store, ...list: readonly string[]): Promise<Session> {
    const session = await create(store)
    await say(store, session, ...list)
    return session
  }

  const queries: readonly (readonly [string, string, string])[] = [
    ['a part of an identifier', 'const parseSessionQuery = 1', 'SessionQ'],
    ['a part of a snake_case name', 'max_retry_count', 'y_coun'],
    ['a part of a path', 'see src/store/store.ts:12', 'ore/store.ts:1'],
    ['one letter', 'zebra', 'z'],
    ['two letters', 'zebra', 'br'],
    ['one CJK character', '修复数据库的连接', '库'],
    ['two CJK characters', '修复数据库的连接', '据库'],
    ['three CJK characters', '修复数据库的连接', '数据库'],
    ['many CJK characters', '修复数据库的连接', '复数据库的连'],
    ['kana', 'こんにちは世界', 'にち'],
    ['hangul', '안녕하세요', '녕하'],
    ['an emoji', 'party 🎉 time', '🎉'],
    ['an emoji of several code points', 'by 👩‍💻 today', '👩‍💻'],
    ['a double quote', 'say "hello"', '"'],
    ['a phrase in quotes', 'say "hello" now', '"hello"'],
    ['an open quote', 'say "hello', '"hel'],
    ['a single quote', "it's", "'"],
    ['a percent sign', '100%', '%'],
    ['a percent sign between letters', 'a%b', 'a%b'],
    ['an underscore', 'a_b', '_'],
    ['an underscore between letters', 'a_b', 'a_b'],
    ['a backslash', 'C:\\dir', '\\'],
    ['a text that ends in a backslash', 'C:\\dir\\', 'dir\\'],
    ['an escaped wildcard', 'a\\%b', '\\%'],
    ['a star', 'a * b', '*'],
    ['a star after letters', 'glob*', 'glob*'],
    ['a hyphen', 'run --all', '-'],
    ['a flag', 'run --all', '--all'],
    ['a hyphen before a word', 'run -x', '-x'],
    ['parentheses', 'f(x)', '(x'],
    ['a colon', 'key: value', 'key:'],
    ['a caret', '^start', '^st'],
    ['a plus sign', 'c++', '++'],
    ['braces', '{HOME}', '{H'],
    ['a semicolon and a comment', "'; drop table entries; --", "'; drop"],
    ['AND', 'cats AND dogs', 'cats AND dogs'],
    ['OR', 'cats OR dogs', 'cats OR dogs'],
    ['NOT', 'cats NOT dogs', 'cats NOT dogs'],
    ['NEAR', 'NEAR(cats, dogs)', 'NEAR(cats'],
    ['an operator alone', 'black OR white', 'OR'],
    ['another case', 'Hello World', 'hELLO wORLD'],
    ['another case of one letter', 'Hello', 'h'],
    ['another case of Latin letters with marks', 'ÄRGER über', 'ärger ÜBER'],
    ['another case of one letter with a mark', 'Ärger', 'ä'],
    ['another case of Cyrillic', 'Привет', 'пРИВ'],
    ['text after a NUL', 'left\u0000rightmost', 'rightmost'],
    ['text after half an emoji', 'left \ud83c rightmost', 'rightmost'],
  ]

  it.each(queries)('finds %s, and only that', async (_, text, query) => {
    const { store } = await start()
    await withTexts(store, '!', text, '?', '1')
    const hits = await store.search({ text: query })
    expect(hits.map((hit) => hit.seq)).toEqual([2])
    expect(hits[0]?.snippet.toLowerCase()).toContain(query.toLowerCase())
  })

  it('takes an operator as a word: what has only one of its sides is not found', async () => {
    const { store } = await start()
    await withTexts(store, 'cats', 'dogs', 'cats dogs', 'catsXdogs')
    for (const query of ['cats OR dogs', 'cats AND dogs', 'NOT cats', 'cats*', 'c_ts', 'c%s', '-cats', '"cats"']) {
      expect({ query, seqs: await found(store, query) }).toEqual({ query, seqs: [] })
    }
  })

  it('finds nothing for a blank query', async () => {
    const { store } = await start()
    await withTexts(store, 'one', '  two  ', '')
    for (const query of ['', ' ', '\n\t ', '\u3000']) expect(await found(store, query)).toEqual([])
  })

  it('answers any query, however strange', async () => {
    const { store } = await start()
    await withTexts(store, 'one', 'party 🎉')
    const strange = [
      '\u0000',
      'a\u0000',
      '\ud83c',
      '\udf89x',
      '"',
      '""',
      '"""',
      "'",
      '(',
      ')',
      '()',
      '*',
      '^',
      ':',
      '{',
      '\\',
    ]
    const operators = [
      'AND',
      'OR',
      'NOT',
      'NEAR',
      'NEAR(',
      'AND AND',
      'a AND',
      '* *',
      '%%%',
      '___',
      '\\\\\\',
      '--',
      '/*',
    ]
    for (const query of [...strange, ...operators, '\u202e', '\uffff', '$1', '?', ':name']) {
      await expect(store.search({ text: query })).resolves.toBeInstanceOf(Array)
    }
  })

  it('finds by a long query, and answers one that is longer than all texts', async () => {
    const { store } = await start()
    const long = range(1, 1_000)
      .map((i) => `word${i}`)
      .join(' ')
    await withTexts(store, 'before', `${long} end`, 'after')
    expect(await found(store, long)).toEqual([2])
    expect(await found(store, `${long} other`)).toEqual([])
    for (const query of ['a'.repeat(200_000), '数'.repeat(100_000), '% _'.repeat(50_000), 'a b '.repeat(50_000)]) {
      expect(await found(store, query)).toEqual([])
    }
  })

  it('finds what was called, what came back, and what a summary says', async () => {
    const { store } = await start()
    const session = await create(store)
    await store.append(session.id, [
      said(call('c1', 'write', { path: 'deploy.ts', lines: ['say "apricot"\nand go', { deep: 'banana' }] })),
      said(result('c1', 'wrote 12 cherries')),
      compaction({ summary: 'the user likes damsons' }),
      { type: 'edit', of: 3, summary: 'the user likes elderberries' },
      said({ role: 'user', content: [{ type: 'text', text: 'and figs' }] }),
    ])
    const typed = async (text: string) => (await store.search({ text })).map((hit) => [hit.seq, hit.type])
    expect(await typed('deploy.ts')).toEqual([[1, 'message']])
    expect(await typed('say "apricot"')).toEqual([[1, 'message']])
    expect(await typed('banana')).toEqual([[1, 'message']])
    expect(await typed('12 cherries')).toEqual([[2, 'message']])
    expect(await typed('damsons')).toEqual([[3, 'compaction']])
    expect(await typed('elderberries')).toEqual([[4, 'edit']])
    expect(await typed('figs')).toEqual([[5, 'message']])
  })

  it('gives the newest first, an entry once, and no more than the limit', async () => {
    const { store, clock } = await start()
    const [a, b] = [await create(store), await create(store)]
    for (const [session, text] of [
      [a, 'needle 1'],
      [b, 'needle 1'],
      [a, 'needle 2 needle needle'],
      [b, 'needle 2'],
    ] as const) {
      clock.now += 1_000
      await say(store, session, text)
    }
    const placed = async (query: SearchQuery) => (await store.search(query)).map((hit) => [hit.session, hit.seq])
    const all = [
      [b.id, 2],
      [a.id, 2],
      [b.id, 1],
      [a.id, 1],
    ]
    for (const text of ['needle', 'n']) {
      expect(await placed({ text })).toEqual(all)
      for (const limit of [1, 2, 4, 9]) expect(await placed({ text, limit })).toEqual(all.slice(0, limit))
    }
  })

  it('gives the newest of a session first by seq, when all are of one moment', async () => {
    const { store } = await start()
    const session = await withTexts(store, ...range(1, 12).map((i) => `needle ${i}`))
    expect(await found(store, { text: 'needle', session: session.id })).toEqual(range(1, 12).toReversed())
    expect(await found(store, { text: 'needle', limit: 3 })).toEqual([12, 11, 10])
    expect(await found(store, { text: 'n', limit: 3 })).toEqual([12, 11, 10])
  })

  it('looks only in one session, or only in those of an owner, when told so', async () => {
    const { store } = await start()
    const mine = await create(store, { owner: 'ann' })
    const other = await create(store, { owner: 'ann' })
    const his = await create(store, { owner: 'bob' })
    for (const session of [mine, other, his]) await say(store, session, 'needle')
    const sessions = async (query: SearchQuery) => (await store.search(query)).map((hit) => hit.session).toSorted()
    for (const text of ['needle', 'n']) {
      expect(await sessions({ text, session: mine.id })).toEqual([mine.id])
      expect(await sessions({ text, owner: 'ann' })).toEqual([mine.id, other.id].toSorted())
      expect(await sessions({ text, owner: 'bob' })).toEqual([his.id])
      expect(await sessions({ text, owner: 'bob', session: mine.id })).toEqual([])
      expect(await sessions({ text, owner: 'nobody' })).toEqual([])
      expect(await sessions({ text, session: 'nothing' })).toEqual([])
    }
  })

  it('a limit counts after the owner and the session', async () => {
    const { store, clock } = await start()
    const mine = await create(store, { owner: 'ann' })
    const his = await create(store, { owner: 'bob' })
    await say(store, mine, 'needle')
    clock.now += 1_000
    for (let i = 0; i < 30; i++) await say(store, his, 'needle')
    for (const text of ['needle', 'n']) {
      expect(await store.search({ text, owner: 'ann', limit: 1 })).toHaveLength(1)
      expect(await store.search({ text, session: mine.id, limit: 1 })).toHaveLength(1)
    }
  })

  it('names the user message that the turn began with', async () => {
    const { store } = await start()
    const session = await create(store)
    await store.append(session.id, [
      said(assistant('needle')),
      said(user('needle')),
      said(assistant('needle')),
      said(call('c', 'read', { path: 'needle' })),
      said(result('c', 'needle')),
      compaction({ summary: 'needle' }),
      said(user('other')),
      said(assistant('needle')),
    ])
    const turns = (await store.search({ text: 'needle' })).map((hit) => [hit.seq, hit.turn])
    expect(turns).toEqual([
      [8, 7],
      [6, 2],
      [5, 2],
      [4, 2],
      [3, 2],
      [2, 2],
      [1, 0],
    ])
  })

  it('names the turn of a fork, which may have begun in what it shares', async () => {
    const { store } = await start()
    const parent = await create(store)
    await store.append(parent.id, [said(user('one')), said(assistant('two')), said(user('three'))])
    const child = await fork(store, parent, 2)
    await store.append(child.id, [said(assistant('needle')), said(user('four')), said(assistant('needle'))])
    const hits = await store.search({ text: 'needle' })
    expect(hits.map((hit) => [hit.session, hit.seq, hit.turn])).toEqual([
      [child.id, 5, 4],
      [child.id, 3, 1],
    ])
  })

  it('shows a short piece of a long text, with the match in it', async () => {
    const { store } = await start()
    const filler = 'lorem ipsum '.repeat(1_000)
    await withTexts(store, `${filler}Needle ${filler}`, `Needle ${filler}`, `${filler}Needle`)
    const hits = await store.search({ text: 'needle' })
    expect(hits).toHaveLength(3)
    for (const { snippet } of hits) {
      expect(snippet).toContain('Needle')
      expect(snippet.length).toBeLessThan(1_000)
    }
  })

  it('shows the match behind letters that are longer in lower case', async () => {
    const { store } = await start()
    await withTexts(store, `${'İ'.repeat(300)} needle`)
    expect((await store.search({ text: 'needle' }))[0]?.snippet).toContain('needle')
  })

  it('finds in a fork what it shares, and not what its parent said after', async () => {
    const { store } = await start()
    const parent = await withTexts(store, 'shared needle', 'late needle')
    const child = await fork(store, parent, 1)
    await say(store, child, 'own needle')
    for (const text of ['needle', 'n']) {
      const hits = await store.search({ text, session: child.id })
      expect(hits.map((hit) => hit.snippet)).toEqual(['own needle', 'shared needle'])
      expect(await found(store, { text, session: parent.id })).toEqual([2, 1])
    }
  })

  it('finds what forks share once when no session is named', async () => {
    const { store } = await start()
    const parent = await withTexts(store, 'shared needle')
    await fork(store, parent, 1)
    await fork(store, parent, 1)
    expect(await found(store, 'needle')).toEqual([1])
  })
}

function summaryTests(start: Start): void {
  const kept: StoredSummary = { seq: 2, key: '2;;', body: '{"text":"\\u0000"}', facts: '{}' }

  it('gives back what was kept for the view', async () => {
    const { store } = await start()
    const session = await create(store)
    await say(store, session, 'one')
    await store.append(session.id, [compaction({ upTo: 1 })])
    await store.keepSummaries(session.id, 2, [kept])
    expect(await store.summaries(session.id)).toEqual([kept])
    await store.keepSummaries(session.id, 2, [{ ...kept, key: 'other' }])
    expect(await store.summaries(session.id)).toEqual([{ ...kept, key: 'other' }])
  })

  it('keeps nothing for a view that has changed', async () => {
    const { store } = await start()
    const session = await create(store)
    await say(store, session, 'one')
    await store.append(session.id, [compaction({ upTo: 1 })])
    await store.keepSummaries(session.id, 1, [kept])
    expect(await store.summaries(session.id)).toEqual([])
  })

  it('forgets what was kept when an entry behind it is redacted, in forks too, and when the session is deleted', async () => {
    const { store } = await start()
    const session = await create(store)
    await say(store, session, 'one')
    await store.append(session.id, [compaction({ upTo: 1 })])
    const child = await fork(store, session, 2)
    await store.keepSummaries(session.id, 2, [kept])
    await store.keepSummaries(child.id, 2, [kept])
    await store.redact(child.id, 1)
    expect([await store.summaries(session.id), await store.summaries(child.id)]).toEqual([[], []])
    await store.keepSummaries(session.id, 3, [kept])
    await store.deleteSession(session.id)
    expect(await store.summaries(session.id)).toEqual([])
  })
}

function redactTests(start: Start): void {
  const secret = 'hunter2'

  it('overwrites what a message said, keeps its id, and appends the redaction', async () => {
    const { store, clock, issued } = await start()
    const session = await create(store)
    const before = await say(store, session, 'one', `my password is ${secret}`, 'three')
    clock.now += 1_000
    const marker = await store.redact(session.id, 2)
    expect(marker).toEqual({ id: marker.id, seq: 4, at: clock.now, type: 'redact', target: 2 })
    expect(issued).toContain(marker.id)
    expect(await read(store, session)).toEqual([
      before[0],
      { ...before[1], message: { role: 'user', content: REDACTED } },
      before[2],
      marker,
    ])
    expect(await sessionOf(store, session)).toMatchObject({ lastSeq: 4, revision: 4, updatedAt: clock.now })
    expect(await found(store, secret)).toEqual([])
    expect(await found(store, 'password')).toEqual([])
    expect(await found(store, 'hun')).toEqual([])
    expect(await found(store, 'three')).toEqual([3])
  })

  const drafts: readonly (readonly [string, EntryDraft])[] = [
    ['a text', said(user(secret))],
    ['parts', said({ role: 'user', content: [{ type: 'text', text: secret, providerOptions: { a: { b: secret } } }] })],
    [
      'a file',
      said({ role: 'user', content: [{ type: 'file', data: secret, filename: secret, mediaType: 'text/plain' }] }),
    ],
    ['reasoning', said({ role: 'assistant', content: [{ type: 'reasoning', text: secret }] })],
    ['a call', said(call('c', 'run', { command: secret }))],
    ['a result', said(result('c', secret))],
    ['data of a provider', said({ role: 'user', content: 'x', providerOptions: { a: { b: secret } } })],
    ['a summary', compaction({ summary: secret, focus: secret, flagged: [secret] })],
    ['facts', compaction({ indexDelta: { users: [{ seq: 1, text: secret }] } })],
    ['an edited summary', { type: 'edit', of: 1, summary: secret }],
    ['a to-do', { type: 'todo', items: [{ text: secret, status: 'pending' }] }],
    ['a title', { type: 'settings', title: secret, model: 'some/model' }],
    ['a prompt', { type: 'settings', policy: { prompt: secret } }],
    ['a failure', { type: 'attempt', outcome: 'failed', reason: secret }],
    ['a repair', { type: 'repair', changes: [{ op: 'drop-message', seq: 1, why: secret }] }],
  ]

  it.each(drafts)('leaves nothing of %s', async (_, draft) => {
    const { store } = await start()
    const session = await create(store)
    await say(store, session, 'one')
    await store.append(session.id, [draft])
    await store.redact(session.id, 2)
    const stored = await read(store, session)
    expect(JSON.stringify(stored)).not.toContain(secret)
    expect(stored.map((entry) => entry.type)).toEqual(['message', draft.type, 'redact'])
    for (const query of [secret, 'hu', 'r2']) expect(await found(store, query)).toEqual([])
  })

  it('leaves nothing of a title in the list of sessions', async () => {
    const { store } = await start()
    const session = await create(store)
    await store.append(session.id, [{ type: 'settings', title: `about ${secret}` }])
    await store.redact(session.id, 1)
    expect(JSON.stringify(await store.sessions())).not.toContain(secret)
    expect((await store.sessions({ text: secret })).sessions).toEqual([])
  })

  it('takes the facts that came from the entry out of compactions, and no others', async () => {
    const { store } = await start()
    const session = await create(store)
    await say(store, session, secret, 'two')
    const users = [
      { seq: 1, text: secret },
      { seq: 2, text: 'two' },
    ]
    const identifiers = [{ kind: 'hash' as const, text: secret, seq: 1 }]
    await store.append(session.id, [
      compaction({ upTo: 2, indexDelta: { users, identifiers } }),
      compaction({ upTo: 2 }),
    ])
    await store.redact(session.id, 1)
    const stored = await read(store, session)
    expect(JSON.stringify(stored)).not.toContain(secret)
    const facts = stored.flatMap((entry) => (entry.type === 'compaction' ? [mergeIndexes([entry.indexDelta])] : []))
    expect(facts.map((index) => index.users)).toEqual([[{ seq: 2, text: 'two' }], []])
  })

  it('takes the command of a redacted call out of the error that came back', async () => {
    const { store } = await start()
    const session = await create(store)
    await store.append(session.id, [
      said(call('c', 'run', { command: `login ${secret}` })),
      said(result('c', 'denied')),
    ])
    const commands = [{ command: `login ${secret}`, seq: 1, runs: 1, ok: false }]
    const errors = [{ text: 'denied', seq: 2, command: `login ${secret}`, call: 1 }]
    await store.append(session.id, [compaction({ upTo: 2, indexDelta: { commands, errors } })])
    await store.redact(session.id, 1)
    expect(JSON.stringify(await read(store, session))).not.toContain(secret)
  })

  it('is for a fork too, whichever of them was asked', async () => {
    const { store } = await start()
    const parent = await create(store)
    await say(store, parent, `${secret} a`, `${secret} b`)
    const child = await fork(store, parent, 2)
    const grandchild = await fork(store, child, 2)
    const users = [
      { seq: 1, text: `${secret} a` },
      { seq: 2, text: `${secret} b` },
    ]
    for (const session of [parent, child, grandchild]) {
      await store.append(session.id, [compaction({ upTo: 2, indexDelta: { users } })])
    }
    await store.redact(parent.id, 1)
    await store.redact(grandchild.id, 2)
    for (const session of [parent, child, grandchild]) {
      expect(JSON.stringify(await read(store, session))).not.toContain(secret)
      expect(await found(store, { text: secret, session: session.id })).toEqual([])
    }
    expect(await found(store, secret)).toEqual([])
    expect(await read(store, parent, { upTo: 2 })).toEqual(await read(store, grandchild, { upTo: 2 }))
  })

  it('leaves another entry alone that has the same seq in a fork, with its facts', async () => {
    const { store } = await start()
    const parent = await create(store)
    await say(store, parent, 'one', secret)
    const child = await fork(store, parent, 1)
    await say(store, child, 'mine')
    await store.append(child.id, [compaction({ upTo: 2, indexDelta: { users: [{ seq: 2, text: 'mine' }] } })])
    const before = await read(store, child)
    await store.redact(parent.id, 2)
    expect(await read(store, child)).toEqual(before)
    expect(await found(store, { text: 'mine', session: child.id })).toEqual([2])
  })

  it('of an entry that is not there changes nothing', async () => {
    const { store } = await start()
    const parent = await create(store)
    await say(store, parent, 'one', 'two')
    const child = await fork(store, parent, 1)
    for (const seq of [0, 3, -1]) await refuses(store.redact(parent.id, seq))
    await refuses(store.redact(child.id, 2))
    expect(await contents(store, parent)).toEqual(['one', 'two'])
    expect(await contents(store, child)).toEqual(['one'])
  })
}

function deleteTests(start: Start): void {
  it('takes the session and its entries, and says how many', async () => {
    const { store } = await start()
    const [session, other] = [await create(store), await create(store)]
    await say(store, session, 'needle', 'two', 'three')
    await say(store, other, 'other needle')
    expect(await store.deleteSession(session.id)).toEqual({ entries: 3, keptForForks: 0 })
    expect(await store.session(session.id)).toBeUndefined()
    expect((await store.sessions()).sessions.map(({ id }) => id)).toEqual([other.id])
    await refuses(store.entries(session.id))
    await refuses(store.append(session.id, texts('more')))
    await refuses(store.deleteSession(session.id))
    expect((await store.search({ text: 'needle' })).map((hit) => hit.session)).toEqual([other.id])
    expect(await contents(store, other)).toEqual(['other needle'])
  })

  it('keeps what forks share for them, and takes the rest', async () => {
    const { store } = await start()
    const parent = await create(store)
    await say(store, parent, 'p1 needle', 'p2', 'p3', 'p4 needle', 'p5')
    const short = await fork(store, parent, 1)
    const long = await fork(store, parent, 3)
    await say(store, long, 'own')
    expect(await store.deleteSession(parent.id)).toEqual({ entries: 2, keptForForks: 3 })
    expect(await store.session(parent.id)).toBeUndefined()
    expect((await store.sessions()).sessions.map(({ id }) => id).toSorted()).toEqual([short.id, long.id].toSorted())
    await refuses(store.entries(parent.id))
    expect(await contents(store, short)).toEqual(['p1 needle'])
    expect(await contents(store, long)).toEqual(['p1 needle', 'p2', 'p3', 'own'])
    expect(await found(store, 'p4')).toEqual([])
    await say(store, short, 'goes on')
    expect(await seqs(store, short)).toEqual([1, 2])
  })

  it('leaves what forks share to be found, forked and redacted by them', async () => {
    const { store } = await start()
    const parent = await create(store)
    await say(store, parent, 'needle', 'two')
    const child = await create(store, { owner: 'bob', parent: { id: parent.id, seq: 2 } })
    await store.deleteSession(parent.id)
    const hit = { session: child.id, seq: 1, turn: 1, type: 'message', snippet: 'needle' }
    expect(await store.search({ text: 'needle' })).toEqual([hit])
    expect(await store.search({ text: 'needle', owner: 'bob' })).toEqual([hit])
    expect(await store.search({ text: 'needle', session: child.id })).toEqual([hit])
    const grandchild = await fork(store, child, 1)
    expect(await contents(store, grandchild)).toEqual(['needle'])
    await store.redact(grandchild.id, 1)
    expect(await contents(store, child)).toEqual([REDACTED, 'two', 'redact'])
    expect(await found(store, 'needle')).toEqual([])
  })

  it('of a fork leaves its parent alone', async () => {
    const { store } = await start()
    const parent = await create(store)
    await say(store, parent, 'one', 'two')
    const child = await fork(store, parent, 2)
    await say(store, child, 'own')
    expect(await store.deleteSession(child.id)).toEqual({ entries: 1, keptForForks: 0 })
    expect(await contents(store, parent)).toEqual(['one', 'two'])
    expect(await found(store, 'own')).toEqual([])
  })

  it('of a parent and a grandparent leaves the last fork whole', async () => {
    const { store } = await start()
    const a = await create(store)
    await say(store, a, 'a1', 'a2', 'a3')
    const b = await fork(store, a, 2)
    await say(store, b, 'b3', 'b4')
    const c = await fork(store, b, 3)
    await say(store, c, 'c4')
    await store.deleteSession(a.id)
    await store.deleteSession(b.id)
    expect(await contents(store, c)).toEqual(['a1', 'a2', 'b3', 'c4'])
    expect(await found(store, 'a3')).toEqual([])
    expect(await found(store, 'b4')).toEqual([])
    expect(await found(store, { text: 'b3', session: c.id })).toEqual([3])
  })

  it('of the last fork takes what was kept for it', async () => {
    const { store } = await start()
    const parent = await create(store)
    await say(store, parent, 'needle')
    const child = await fork(store, parent, 1)
    await store.deleteSession(parent.id)
    await store.deleteSession(child.id)
    expect(await found(store, 'needle')).toEqual([])
    expect((await store.sessions()).sessions).toEqual([])
  })
}

function leaseTests(start: Start): void {
  it('a second holder is told who has it, and until when', async () => {
    const { store, clock } = await start()
    const session = await create(store)
    const lease = await store.acquireLease(session.id, 'first', 1_000)
    expect(lease).toEqual({ ok: true, token: expect.stringMatching(/./) })
    const refused = { ok: false, holder: 'first', expiresAt: clock.now + 1_000 }
    expect(await store.acquireLease(session.id, 'second', 5_000)).toEqual(refused)
    clock.now += 999
    expect(await store.acquireLease(session.id, 'second', 5_000)).toEqual(refused)
  })

  it('expires by the clock, and the next holder has it', async () => {
    const { store, clock } = await start()
    const session = await create(store)
    await store.acquireLease(session.id, 'first', 1_000)
    clock.now += 1_001
    expect((await store.acquireLease(session.id, 'second', 1_000)).ok).toBe(true)
    expect(await store.acquireLease(session.id, 'first', 1_000)).toMatchObject({ ok: false, holder: 'second' })
  })

  it('is free once it is released', async () => {
    const { store } = await start()
    const session = await create(store)
    await store.releaseLease(session.id, token(await store.acquireLease(session.id, 'first', 1_000)))
    expect((await store.acquireLease(session.id, 'second', 1_000)).ok).toBe(true)
  })

  it('is renewed by its holder', async () => {
    const { store, clock } = await start()
    const session = await create(store)
    await store.acquireLease(session.id, 'first', 1_000)
    clock.now += 600
    const renewed = token(await store.acquireLease(session.id, 'first', 1_000))
    clock.now += 600
    expect(await store.acquireLease(session.id, 'second', 1_000)).toEqual({
      ok: false,
      holder: 'first',
      expiresAt: clock.now + 400,
    })
    await store.releaseLease(session.id, renewed)
    expect((await store.acquireLease(session.id, 'second', 1_000)).ok).toBe(true)
  })

  it('is not released with the token of another', async () => {
    const { store, clock } = await start()
    const session = await create(store)
    const old = token(await store.acquireLease(session.id, 'first', 1_000))
    clock.now += 1_001
    await store.acquireLease(session.id, 'second', 1_000)
    await store.releaseLease(session.id, old)
    await store.releaseLease(session.id, 'made up')
    expect(await store.acquireLease(session.id, 'third', 1_000)).toMatchObject({ ok: false, holder: 'second' })
  })

  it('of one session is none of another', async () => {
    const { store } = await start()
    const [a, b] = [await create(store), await create(store)]
    await store.acquireLease(a.id, 'first', 1_000)
    expect((await store.acquireLease(b.id, 'second', 1_000)).ok).toBe(true)
  })

  it('goes to one of many who ask at once', async () => {
    const { store } = await start()
    const session = await create(store)
    const leases = await Promise.all(range(1, 10).map((i) => store.acquireLease(session.id, `holder ${i}`, 1_000)))
    expect(leases.filter((lease) => lease.ok)).toHaveLength(1)
    expect(new Set(leases.flatMap((lease) => (lease.ok ? [] : [lease.holder]))).size).toBe(1)
  })

  it('is no guard: who has none may append', async () => {
    const { store } = await start()
    const session = await create(store)
    await store.acquireLease(session.id, 'first', 1_000)
    expect(await say(store, session, 'one')).toHaveLength(1)
  })

  function token(lease: Awaited<ReturnType<Store['acquireLease']>>): string {
    if (!lease.ok) throw new Error('no lease')
    return lease.token
  }
}

/** Remembers what a listener was told, and waits until it was told something. */
function ear(): {
  listen: (change: Change) => void
  told: Change[]
  hears: (session: Session, seq: Seq) => Promise<void>
} {
  const told: Change[] = []
  let wake = () => {}
  return {
    told,
    listen: (change) => {
      told.push(change)
      wake()
    },
    hears: (session, seq) =>
      new Promise((resolve, reject) => {
        const late = () => reject(new Error(`not told of ${session.id} ${seq}, only of ${JSON.stringify(told)}`))
        const deadline = setTimeout(late, 20_000)
        wake = () => {
          if (!told.some((change) => change.session === session.id && change.seq === seq)) return
          clearTimeout(deadline)
          resolve()
        }
        wake()
      }),
  }
}

function toldOf(told: readonly Change[], session: Session): Seq[] {
  return told.filter((change) => change.session === session.id).map((change) => change.seq)
}

function subscribeTests(start: Start): void {
  it('tells of every append, in the order of each session', async () => {
    const { store } = await start()
    const [a, b] = [await create(store), await create(store)]
    const { listen, told, hears } = ear()
    store.subscribe(listen)
    for (let i = 0; i < 5; i++) {
      await say(store, a, `a${i}`)
      await say(store, b, `b${i}`)
    }
    await hears(a, 5)
    await hears(b, 5)
    expect(toldOf(told, a)).toEqual([1, 2, 3, 4, 5])
    expect(toldOf(told, b)).toEqual([1, 2, 3, 4, 5])
    for (const change of told) expect(Object.keys(change).toSorted()).toEqual(['seq', 'session'])
  })

  it('tells of appends at the same time in the order of their seq', async () => {
    const { store } = await start()
    const session = await create(store)
    const { listen, told, hears } = ear()
    store.subscribe(listen)
    await Promise.all(range(1, 50).map((i) => say(store, session, `${i}`)))
    await hears(session, 50)
    expect(toldOf(told, session)).toEqual(range(1, 50))
  })

  it('tells of an append of several drafts up to its last seq, and never goes back', async () => {
    const { store } = await start()
    const session = await create(store)
    const { listen, told, hears } = ear()
    store.subscribe(listen)
    await say(store, session, 'one', 'two', 'three')
    await say(store, session, 'four')
    await hears(session, 4)
    const list = toldOf(told, session)
    expect(list).toContain(3)
    expect(list).toEqual([...new Set(list)].toSorted((a, b) => a - b))
  })

  it('tells of a redaction, which is an append', async () => {
    const { store } = await start()
    const session = await create(store)
    await say(store, session, 'one')
    const { listen, hears } = ear()
    store.subscribe(listen)
    await store.redact(session.id, 1)
    await hears(session, 2)
  })

  it('tells only what was appended, and what a fork appends as the fork', async () => {
    const { store } = await start()
    const parent = await create(store)
    await say(store, parent, 'one', 'two')
    const { listen, told, hears } = ear()
    store.subscribe(listen)
    const child = await fork(store, parent, 1)
    await store.append(child.id, texts('lost'), { revision: 7 })
    await store.append(child.id, texts('own'), { key: 'k' })
    await store.append(child.id, texts('own'), { key: 'k' })
    await say(store, child, 'last')
    await hears(child, 3)
    expect(toldOf(told, child)).toEqual([2, 3])
    // What was appended just before may still be told.
    expect(told.filter((change) => change.session !== child.id && change.session !== parent.id)).toEqual([])
  })

  it('has appended the entry when it tells of it', async () => {
    const { store } = await start()
    const session = await create(store)
    const { listen, hears } = ear()
    const reads: Promise<Seq[]>[] = []
    store.subscribe((change) => {
      reads.push(seqs(store, session, { seqs: [change.seq] }))
      listen(change)
    })
    await say(store, session, 'one')
    await say(store, session, 'two')
    await hears(session, 2)
    expect(await Promise.all(reads)).toEqual([[1], [2]])
  })

  it('tells nothing more once it is stopped, and the others go on', async () => {
    const { store } = await start()
    const session = await create(store)
    const [stopped, other] = [ear(), ear()]
    const stop = store.subscribe(stopped.listen)
    store.subscribe(other.listen)
    await say(store, session, 'one')
    await Promise.all([stopped.hears(session, 1), other.hears(session, 1)])
    stop()
    stop()
    await say(store, session, 'two')
    await other.hears(session, 2)
    expect(toldOf(stopped.told, session)).toEqual([1])
  })

  it('harms nobody with a listener that throws', async () => {
    const { store } = await start()
    const session = await create(store)
    const [before, after] = [ear(), ear()]
    store.subscribe(before.listen)
    store.subscribe(() => {
      throw new Error('broken listener')
    })
    store.subscribe(after.listen)
    await say(store, session, 'one')
    await say(store, session, 'two')
    await Promise.all([before.hears(session, 2), after.hears(session, 2)])
    expect(toldOf(before.told, session)).toEqual([1, 2])
    expect(toldOf(after.told, session)).toEqual([1, 2])
    expect(await contents(store, session)).toEqual(['one', 'two'])
  })
}

function closeTests(start: Start): void {
  it('may be called again, also at the same time', async () => {
    const { store } = await start()
    await create(store)
    store.subscribe(() => {})
    await Promise.all([store.close(), store.close()])
    await store.close()
  })

  it('waits for the appends that are under way, or refuses them', async () => {
    const { store } = await start()
    const session = await create(store)
    const writes = Promise.allSettled(range(1, 10).map((i) => say(store, session, `${i}`)))
    await store.close()
    expect(await within(20_000, writes)).toHaveLength(10)
  })

  it('answers nothing more after it', async () => {
    const { store } = await start()
    const session = await create(store)
    await store.close()
    await expect(say(store, session, 'late')).rejects.toThrow()
  })
}

/** A deadline against hanging. */
function within<T>(deadlineMs: number, promise: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const deadline = setTimeout(() => reject(new Error(`no answer within ${deadlineMs} ms`)), deadlineMs)
    promise.then(resolve, reject).finally(() => clearTimeout(deadline))
  })
}

function sharedTests(database: () => Promise<OpenStore>): void {
  async function two(): Promise<{ here: Store; there: Store; clock: Clock }> {
    const clock: Clock = { now: 1_700_000_000_000 }
    const open = await database()
    const here = await open(depsOf(clock, new Set(), 'here'))
    opened.push(here)
    const there = await open(depsOf(clock, new Set(), 'there'))
    opened.push(there)
    return { here, there, clock }
  }

  it('what one store appended is there when it is opened again', async () => {
    const clock: Clock = { now: 1_700_000_000_000 }
    const open = await database()
    const first = await open(depsOf(clock, new Set(), 'first'))
    opened.push(first)
    const session = await create(first, { title: 'a title' })
    const answer = await first.append(session.id, everyDraft, { key: 'k' })
    const child = await fork(first, session, 2)
    const before = [await read(first, session), await read(first, child), await sessionOf(first, session)]
    await first.close()
    const second = await open(depsOf(clock, new Set(), 'second'))
    opened.push(second)
    expect([await read(second, session), await read(second, child), await sessionOf(second, session)]).toEqual(before)
    expect(await second.append(session.id, everyDraft, { key: 'k' })).toEqual(answer)
    expect(await found(second, 'hello')).toEqual([1])
  })

  it('each sees what the other appended', async () => {
    const { here, there } = await two()
    const session = await create(here)
    await say(here, session, 'one')
    await say(there, session, 'two')
    await say(here, session, 'three')
    for (const store of [here, there]) {
      expect(await contents(store, session)).toEqual(['one', 'two', 'three'])
      expect((await sessionOf(store, session)).lastSeq).toBe(3)
      expect(await found(store, 'two')).toEqual([2])
    }
  })

  it('appends of both at once have one order, without a gap and without a loss', async () => {
    const { here, there } = await two()
    const session = await create(here)
    await Promise.all(range(1, 25).flatMap((i) => [say(here, session, `h${i}`), say(there, session, `t${i}`)]))
    expect(await seqs(here, session)).toEqual(range(1, 50))
    expect(await read(here, session)).toEqual(await read(there, session))
    expect(new Set(await contents(here, session)).size).toBe(50)
  })

  it('one of two appends passes that were planned on the same revision', async () => {
    const { here, there } = await two()
    const session = await create(here)
    for (let revision = 0; revision < 10; revision++) {
      const answers = await Promise.all([here, there].map((store) => store.append(session.id, [mask], { revision })))
      expect(answers.filter((answer) => answer.ok)).toHaveLength(1)
    }
  })

  it('a key holds for both', async () => {
    const { here, there } = await two()
    const session = await create(here)
    const [a, b] = await Promise.all([here, there].map((store) => store.append(session.id, texts('one'), { key: 'k' })))
    expect(a).toEqual(b)
    expect(await contents(there, session)).toEqual(['one'])
  })

  it('a lease holds for both', async () => {
    const { here, there, clock } = await two()
    const session = await create(here)
    await here.acquireLease(session.id, 'here', 1_000)
    expect(await there.acquireLease(session.id, 'there', 1_000)).toEqual({
      ok: false,
      holder: 'here',
      expiresAt: clock.now + 1_000,
    })
    clock.now += 1_001
    expect((await there.acquireLease(session.id, 'there', 1_000)).ok).toBe(true)
  })

  it('each is told of what the other appended, in order and once', async () => {
    const { here, there } = await two()
    const session = await create(here)
    await say(here, session, 'before anybody listens')
    const [hereEar, thereEar] = [ear(), ear()]
    here.subscribe(hereEar.listen)
    there.subscribe(thereEar.listen)
    for (let i = 0; i < 5; i++) {
      await say(here, session, 'from here')
      await say(there, session, 'from there')
    }
    await Promise.all([hereEar.hears(session, 11), thereEar.hears(session, 11)])
    // What was appended just before may still be told.
    for (const { told } of [hereEar, thereEar]) {
      expect(toldOf(told, session).filter((seq) => seq > 1)).toEqual(range(2, 11))
    }
  })

  it('each is told of a session that the other created later', async () => {
    const { here, there } = await two()
    const { listen, told, hears } = ear()
    here.subscribe(listen)
    const session = await create(there)
    await say(there, session, 'one')
    await say(there, session, 'two')
    await hears(session, 2)
    expect(toldOf(told, session)).toEqual([1, 2])
  })

  it('a redaction of one is none of the other to search or read', async () => {
    const { here, there } = await two()
    const session = await create(here)
    await say(here, session, 'hunter2')
    expect(await found(there, 'hunter2')).toEqual([1])
    await here.redact(session.id, 1)
    expect(await found(there, 'hunter2')).toEqual([])
    expect(await contents(there, session)).toEqual([REDACTED, 'redact'])
  })
}

type Move =
  | { readonly kind: 'say'; readonly session: number; readonly count: number }
  | { readonly kind: 'compact' | 'fork' | 'redact'; readonly session: number; readonly seq: number }

/** Small, so that forks have entries of the same seq, and the same entry is compacted and redacted. */
const nat = fc.nat({ max: 5 })
const move: fc.Arbitrary<Move> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('say' as const), session: nat, count: fc.nat({ max: 4 }) }) },
  {
    weight: 6,
    arbitrary: fc.record({ kind: fc.constantFrom('compact' as const, 'fork', 'redact'), session: nat, seq: nat }),
  },
)
const anyQuery: fc.Arbitrary<EntryQuery> = fc.record(
  {
    from: fc.nat({ max: 12 }),
    upTo: fc.nat({ max: 12 }),
    seqs: fc.array(fc.nat({ max: 12 }), { maxLength: 6 }),
    only: fc.constantFrom('messages' as const, 'changes' as const),
    order: fc.constantFrom('oldest' as const, 'newest' as const),
    limit: fc.nat({ max: 6 }),
  },
  { requiredKeys: [] },
)

function propertyTests(start: Start): void {
  it('gives the same entries, and the same hits, as lists in memory', async () => {
    const { store } = await start()
    await fc.assert(
      fc.asyncProperty(
        fc.array(move, { maxLength: 25, size: 'max' }),
        fc.array(anyQuery, { maxLength: 4 }),
        async (moves, queries) => {
          const model = new Model(store)
          await model.begin()
          for (const next of moves) await model.apply(next)
          await model.check(queries)
        },
      ),
      { numRuns: full ? 1_000 : 100 },
    )
  })
}

/** The sessions of a run as plain lists. A fork's list begins with the same entries, by id. */
class Model {
  readonly #store: Store
  readonly #sessions: { session: Session; ids: string[] }[] = []
  readonly #entries = new Map<string, Entry>()
  readonly #words = new Map<string, string>()
  readonly #redacted = new Set<string>()

  constructor(store: Store) {
    this.#store = store
  }

  async begin(): Promise<void> {
    this.#sessions.push({ session: await create(this.#store), ids: [] })
  }

  async apply(next: Move): Promise<void> {
    const at = present(this.#sessions[next.session % this.#sessions.length])
    const { session, ids } = at
    if (next.kind === 'say') return this.#append(at, this.#drafts(next.count))
    const seq = next.seq % (ids.length + 1)
    if (next.kind === 'fork') {
      this.#sessions.push({ session: await fork(this.#store, session, seq), ids: ids.slice(0, seq) })
      return
    }
    const target = ids[seq - 1]
    const entry = target === undefined ? undefined : this.#entries.get(target)
    if (entry?.type !== 'message') return
    if (next.kind === 'compact') {
      const users = [{ seq, text: String(entry.message.content) }]
      return this.#append(at, [compaction({ upTo: seq, indexDelta: { users } })])
    }
    const marker = await this.#store.redact(session.id, seq)
    expect(marker).toMatchObject({ type: 'redact', target: seq, seq: ids.length + 1 })
    this.#redact(entry)
    // Every session that shares the entry says that it was redacted.
    for (const one of this.#sessions.filter(({ ids }) => ids.includes(entry.id))) {
      const own = await read(this.#store, one.session, { order: 'newest', limit: 1 })
      expect(own).toMatchObject([{ type: 'redact', target: seq, seq: one.ids.length + 1 }])
      this.#take(one, own)
    }
  }

  async check(queries: readonly EntryQuery[]): Promise<void> {
    for (const { session, ids } of this.#sessions) {
      const expected = ids.map((id) => comparable(present(this.#entries.get(id))))
      expect((await read(this.#store, session)).map(comparable)).toEqual(expected)
      expect(await sessionOf(this.#store, session)).toMatchObject({
        lastSeq: ids.length,
        revision: Math.max(0, ...expected.flatMap(({ type, seq }) => (changing.has(type) ? [seq] : []))),
      })
      for (const query of queries) {
        const chosen = select(expected, query)
        expect((await read(this.#store, session, query)).map(comparable)).toEqual(chosen)
      }
    }
    for (const [id, word] of this.#words) await this.#checkSearch(id, word)
  }

  async #checkSearch(id: string, word: string): Promise<void> {
    const { session, ids } = present(this.#sessions.find((one) => one.ids.includes(id)))
    const expected = this.#redacted.has(id) ? [] : [ids.indexOf(id) + 1]
    expect(await found(this.#store, { text: word, session: session.id })).toEqual(expected)
  }

  #drafts(count: number): EntryDraft[] {
    const from = this.#entries.size
    return range(1, count).map((i) => said(i % 2 === 0 ? assistant(`word${from + i}end`) : user(`word${from + i}end`)))
  }

  async #append(at: { session: Session; ids: string[] }, drafts: readonly EntryDraft[]): Promise<void> {
    const entries = added(await this.#store.append(at.session.id, drafts))
    expect(entries.map((entry) => entry.seq)).toEqual(drafts.map((_, i) => at.ids.length + 1 + i))
    this.#take(at, entries)
  }

  #take(at: { ids: string[] }, entries: readonly Entry[]): void {
    for (const entry of entries) {
      at.ids.push(entry.id)
      this.#entries.set(entry.id, entry)
      if (entry.type === 'message') this.#words.set(entry.id, String(entry.message.content))
    }
  }

  /** Its text, and what compactions that follow it say of it, wherever it is shared. */
  #redact(entry: Extract<Entry, { type: 'message' }>): void {
    this.#redacted.add(entry.id)
    this.#entries.set(entry.id, { ...entry, message: redactMessage(entry.message) })
    for (const { ids } of this.#sessions.filter((one) => one.ids.includes(entry.id))) {
      for (const id of ids) {
        const other = this.#entries.get(id)
        if (other?.type !== 'compaction') continue
        const users = other.indexDelta.users?.filter((fact) => fact.seq !== entry.seq) ?? []
        const covers = other.from <= entry.seq && entry.seq <= other.upTo
        const summary = covers ? REDACTED_SUMMARY : other.summary
        this.#entries.set(id, { ...other, summary, indexDelta: { users } })
      }
    }
  }
}

/** Whether a kind of facts is empty or absent means nothing. */
function comparable(entry: Entry): Entry {
  return entry.type === 'compaction' ? { ...entry, indexDelta: mergeIndexes([entry.indexDelta]) } : entry
}

function select(entries: readonly Entry[], query: EntryQuery): readonly Entry[] {
  const { from = 0, upTo = Number.POSITIVE_INFINITY, seqs: places, only, order, limit = entries.length } = query
  const chosen = entries
    .filter(({ seq }) => seq >= from && seq <= upTo && (places === undefined || places.includes(seq)))
    .filter(({ type }) => only === undefined || (type === 'message') === (only === 'messages'))
  return order === 'newest' ? chosen.slice(Math.max(0, chosen.length - limit)) : chosen.slice(0, limit)
}
