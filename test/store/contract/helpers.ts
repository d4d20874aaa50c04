import { expect } from 'vitest'
import { PithError } from '../../../src/model/problems/errors.ts'
import type { Entry, EntryDraft, Message, Seq } from '../../../src/model/types.ts'
import type { AppendResult, EntryQuery, SearchQuery, Session, SessionDraft, Store } from '../../../src/store/store.ts'
import { user } from '../../support/messages.ts'

export function create(store: Store, draft: Partial<SessionDraft> = {}): Promise<Session> {
  return store.createSession({ owner: 'ann', workspace: '/work', ...draft })
}

/** The session as it is now. */
export async function sessionOf(store: Store, { id }: Session): Promise<Session> {
  return present(await store.session(id))
}

export function fork(store: Store, parent: Session, seq: Seq): Promise<Session> {
  return create(store, { parent: { id: parent.id, seq } })
}

export function said(message: Message): EntryDraft {
  return { type: 'message', message }
}

export function texts(...contents: readonly string[]): EntryDraft[] {
  return contents.map((text) => said(user(text)))
}

export async function say(store: Store, session: Session, ...contents: readonly string[]): Promise<readonly Entry[]> {
  return added(await store.append(session.id, texts(...contents)))
}

/** A new session in which these were said. */
export async function withTexts(store: Store, ...list: readonly string[]): Promise<Session> {
  const session = await create(store)
  await say(store, session, ...list)
  return session
}

export function added(appended: AppendResult): readonly Entry[] {
  if (!appended.ok) throw new Error(`not appended: ${JSON.stringify(appended)}`)
  return appended.entries
}

export function present<T>(value: T | undefined): T {
  if (value === undefined) throw new Error('expected a value')
  return value
}

export async function read(store: Store, session: Session, query?: EntryQuery): Promise<readonly Entry[]> {
  const page = await store.entries(session.id, query)
  expect(page.bad).toEqual([])
  return page.entries
}

export async function seqs(store: Store, session: Session, query?: EntryQuery): Promise<Seq[]> {
  return (await read(store, session, query)).map((entry) => entry.seq)
}

export async function contents(store: Store, session: Session, query?: EntryQuery): Promise<unknown[]> {
  return (await read(store, session, query)).map((entry) =>
    entry.type === 'message' ? entry.message.content : entry.type,
  )
}

/** The entries that a search finds, each exchange with its best one first. */
export async function found(store: Store, query: string | SearchQuery): Promise<Seq[]> {
  const { hits } = await store.search(typeof query === 'string' ? { text: query } : query)
  return hits.flatMap(({ seq, also }) => [seq, ...also])
}

/** An error that a user can read in one line. */
export async function refuses(promise: Promise<unknown>): Promise<void> {
  const error = await promise.then(
    () => undefined,
    (reason: unknown) => reason,
  )
  expect(error).toBeInstanceOf(PithError)
  expect((error as PithError).message).toMatch(/^[^\r\n]+$/)
}

/** The draft that the entry came from, as text. */
export function body({ id: _id, seq: _seq, at: _at, ...draft }: Entry): string {
  return JSON.stringify(draft)
}

/** The keys in one order, for shapes whose order of keys means nothing. */
export function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, field]) => [key, sorted(field)]),
  )
}

export function range(from: number, upTo: number): number[] {
  return Array.from({ length: upTo - from + 1 }, (_, i) => from + i)
}

/** A deadline against hanging. */
export function within<T>(deadlineMs: number, promise: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const deadline = setTimeout(() => reject(new Error(`no answer within ${deadlineMs} ms`)), deadlineMs)
    promise.then(resolve, reject).finally(() => clearTimeout(deadline))
  })
}
