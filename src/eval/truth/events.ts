/**
 * Something that happened in a session and changed what is true. `at` is the number of messages before it, `call` the id of the tool call
 * that did it. Made-up sessions come with theirs; of recorded ones `read-events.ts` reads them.
 */
export type TruthEvent = { readonly at: number; readonly call?: string } & (
  | { readonly kind: 'edit' | 'revert'; readonly path: string }
  | { readonly kind: 'rename'; readonly path: string; readonly to: string }
  /** `all` takes every changed file; `unknown` if the session does not show which ones it took. */
  | { readonly kind: 'commit'; readonly hash: string; readonly paths: readonly string[] | 'all' | 'unknown' }
  /** Something that may have changed any file, such as a stash or a merge. */
  | { readonly kind: 'upheaval' }
  | { readonly kind: 'check'; readonly command: string; readonly ok: boolean }
  /** A rule of the user that holds until another one replaces it. */
  | { readonly kind: 'rule'; readonly text: string; readonly replaces?: string }
  /** An approach that was given up, and the name of the reason. */
  | { readonly kind: 'decision'; readonly gaveUp: string; readonly because: string }
)

/** An event before it is known where it goes. */
export type UnplacedEvent = TruthEvent extends infer Event
  ? Event extends TruthEvent
    ? Omit<Event, 'at' | 'call'>
    : never
  : never

export type WorkFileState = 'uncommitted' | 'committed' | 'reverted' | 'unknown'

/** The work at one moment. */
export type WorkState = {
  /** Each file that was changed, oldest change first. A renamed file is here under its new path. */
  readonly files: Map<string, { readonly state: WorkFileState; readonly hash?: string }>
  /** Each check with how its last run ended. */
  readonly checks: Map<string, boolean>
  /** States that a file and outcomes that a check ever had: `PATH committed`, `COMMAND true`. */
  readonly ever: Set<string>
  rules: { readonly text: string; readonly at: number; readonly replaced?: string }[]
  readonly decisions: { readonly gaveUp: string; readonly because: string }[]
}

/** The work as it is before message `before`. */
export function workAt(events: readonly TruthEvent[], before = Number.POSITIVE_INFINITY): WorkState {
  const work = noWork()
  for (const event of events) if (event.at < before) happened(work, event)
  return work
}

export function noWork(): WorkState {
  return { files: new Map(), checks: new Map(), ever: new Set(), rules: [], decisions: [] }
}

/** Changes the work by one event. */
export function happened(work: WorkState, event: TruthEvent): void {
  const { files, checks, ever, decisions } = work
  const put = (path: string, entry: { state: WorkFileState; hash?: string }) => {
    files.delete(path)
    files.set(path, entry)
    ever.add(`${path} ${entry.state}`)
  }
  switch (event.kind) {
    case 'edit':
      put(event.path, { state: 'uncommitted' })
      break
    case 'revert':
      for (const path of [...files.keys()]) if (isWithin(path, event.path)) put(path, { state: 'reverted' })
      break
    case 'rename':
      for (const path of [...files.keys()]) if (isWithin(path, event.path)) files.delete(path)
      put(event.to, { state: 'uncommitted' })
      break
    case 'commit':
      for (const [path, { state }] of [...files]) {
        if (state !== 'uncommitted' && state !== 'unknown') continue
        if (event.paths === 'unknown') files.set(path, { state: 'unknown' })
        else if (event.paths === 'all' || event.paths.some((one) => isWithin(path, one)))
          put(path, { state: 'committed', hash: event.hash })
      }
      break
    case 'upheaval':
      for (const path of files.keys()) files.set(path, { state: 'unknown' })
      break
    case 'check':
      checks.set(event.command, event.ok)
      ever.add(`${event.command} ${event.ok}`)
      break
    case 'rule': {
      const { text, at, replaces } = event
      const others = work.rules.filter((rule) => rule.text !== replaces && rule.text !== text)
      work.rules = [...others, { text, at, ...(replaces === undefined ? {} : { replaced: replaces }) }]
      break
    }
    case 'decision':
      decisions.push({ gaveUp: event.gaveUp, because: event.because })
  }
}

/** True if a path is the named one, or in the named folder. Editors are given absolute paths, and git relative ones. */
function isWithin(path: string, named: string): boolean {
  const bare = named.replace(/^\.\/|\/$/g, '')
  return path === bare || path.endsWith(`/${bare}`) || `/${path}`.includes(`/${bare}/`)
}
