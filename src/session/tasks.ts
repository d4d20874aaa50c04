import type { Sidechain } from '../formats/shared/log-builder.ts'
import { PithError } from '../model/problems/errors.ts'
import { oneLine } from '../model/text.ts'
import { type Entry, type EntryOf, textOf } from '../model/types.ts'
import type { Page } from '../search/find-entries.ts'
import { namedHandles } from '../search/handles.ts'
import type { Hit, SearchResult } from '../search/hits.ts'
import { type Session, type SessionId, type Store, TASK_HOLDER } from '../store/store.ts'
import { type EntriesOptions, recall, searchSession } from './search/search-session.ts'

/** A sub-agent of a session: its name in handles (`task-1#12`), the session with its log, and the call that started it. */
export type Task = NonNullable<EntryOf<'settings'>['task']>

/** The sub-agents that a log has started, the first one first. A fork has those of the entries that it shares. */
export function tasksIn(log: readonly Entry[]): Task[] {
  return log.flatMap((entry) => (entry.type === 'settings' && entry.task !== undefined ? [entry.task] : []))
}

/** The same for a stored session. */
export async function tasksOf(store: Store, id: SessionId): Promise<Task[]> {
  return tasksIn((await store.entries(id, { only: 'changes', light: true })).entries)
}

/** The conversation of a sub-agent in a file of another agent, with the name that it gets here. */
export type NamedSidechain = Omit<Task, 'session'> & { readonly title: string; readonly entries: readonly Entry[] }

/** The conversations of sub-agents in a file of another agent. Their orders come from a model, so they are nobody's words. */
export function namedSidechains(sidechains: readonly Sidechain[]): NamedSidechain[] {
  return sidechains.map(({ id, title, call = '', entries }, i) => {
    const [first] = entries
    const order = first?.type === 'message' ? textOf(first.message) : ''
    return {
      name: `task-${i + 1}`,
      call,
      title: title ?? oneLine(order === '' ? id : order, 80),
      entries: entries.map((entry) =>
        entry.type === 'message' && entry.message.role === 'user' ? { ...entry, userWords: [] } : entry,
      ),
    }
  })
}

/** A session for a sub-agent. It is in no list, and it is deleted together with its parent. */
export async function createTaskSession(
  store: Store,
  { id, owner, workspace }: Pick<Session, 'id' | 'owner' | 'workspace'>,
  { title, createdAt }: { readonly title: string; readonly createdAt?: number },
): Promise<Session> {
  const session = await store.createSession({ owner, workspace, title, createdAt, parent: { id, seq: 0 } })
  await store.markChain(session.id, [], TASK_HOLDER)
  return session
}

/** Hits in a session and in those of its sub-agents. `nameOf` names the sub-agent of a hit; the session itself has no name. */
export type FoundWithTasks = SearchResult & { readonly nameOf?: (hit: Hit) => string }

/** Searches a session together with those of its sub-agents. */
export async function searchWithTasks(
  store: Store,
  id: SessionId,
  text: string,
  page: Partial<Page> = {},
): Promise<FoundWithTasks> {
  const names = new Map((await tasksOf(store, id)).map(({ name, session }) => [session, name]))
  const result = await searchSession(store, id, text, { ...page, with: [...names.keys()] })
  return { ...result, nameOf: ({ session }) => names.get(session) ?? '' }
}

/** Entries verbatim, of the session (`#12-#20`) or of one of its sub-agents (`task-1#3`). An unknown sub-agent is an error. */
export async function recallWithTasks(
  store: Store,
  id: SessionId,
  what: string,
  options?: EntriesOptions,
): Promise<readonly Entry[]> {
  const named = namedHandles(what)
  if (named === undefined) return recall(store, id, what, options)
  const tasks = await tasksOf(store, id)
  const task = tasks.find(({ name }) => name === named.session)
  if (task === undefined) throw new PithError('bad-argument', unknownTask(named.session, tasks))
  return recall(store, task.session, named.handles, options)
}

function unknownTask(name: string, tasks: readonly Task[]): string {
  const known = tasks.length === 0 ? 'it has none' : `they are ${tasks.map((task) => task.name).join(', ')}`
  return `There is no sub-agent ${name} in this session: ${known}`
}
