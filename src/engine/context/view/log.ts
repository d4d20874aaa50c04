import type { Entry, EntryDraft, EntryId, Message } from '../../../model/types.ts'

/** The sources of ids and times. Without them an entry gets a number as its id, and the time of the entry before it. */
export type LogDeps = { readonly ids?: () => EntryId; readonly clock?: () => number }

/**
 * The draft as the next entry of the log.
 *
 * @example
 * ```ts
 * import { logOf, nextEntry } from 'pith'
 *
 * const log = logOf(messages)
 * const entry = nextEntry(log, { type: 'message', message: { role: 'user', content: 'Go on.' } })
 * console.log(entry.seq === log.length + 1)
 * ```
 */
export function nextEntry(log: readonly Entry[], draft: EntryDraft, deps: LogDeps = {}): Entry {
  return entryAfter(log.at(-1), draft, deps)
}

/** The draft as the entry after this one, or as the first entry. */
export function entryAfter(last: Entry | undefined, draft: EntryDraft, deps: LogDeps = {}): Entry {
  const seq = (last?.seq ?? 0) + 1
  return { ...draft, id: deps.ids?.() ?? `e${seq}`, seq, at: deps.clock?.() ?? last?.at ?? 0 } as Entry
}

/**
 * The log with the drafts appended.
 *
 * @example
 * ```ts
 * import { appended, logOf, viewOf } from 'pith'
 *
 * const log = appended(logOf(messages), [{ type: 'message', message: { role: 'user', content: 'Go on.' } }])
 * console.log(viewOf(log).items.length)
 * ```
 */
export function appended(log: readonly Entry[], drafts: readonly EntryDraft[], deps: LogDeps = {}): Entry[] {
  const longer = [...log]
  for (const draft of drafts) longer.push(nextEntry(longer, draft, deps))
  return longer
}

/**
 * A log of these messages.
 *
 * @example
 * ```ts
 * import { logOf } from 'pith'
 *
 * const log = logOf(messages)
 * console.log(log.at(-1)?.seq === messages.length)
 * ```
 */
export function logOf(messages: readonly Message[], deps: LogDeps = {}): Entry[] {
  return appended(
    [],
    messages.map((message) => ({ type: 'message', message })),
    deps,
  )
}
