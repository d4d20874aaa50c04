import type { Placed, StoryEvent } from './repository-story.ts'

/** The state of a file in its repository as far as the log shows it. `unknown`: the log shows neither. */
export type TrueStanding = {
  readonly state: 'dirty' | 'committed' | 'clean' | 'stashed' | 'unknown' | 'no-repository' | 'never-changed'
  /** The commits that have its last version; a hash that was rewritten later is not in it. */
  readonly hashes: readonly string[]
  readonly lastChange: number
  /** The side of a merge that it has since its last change. */
  readonly side?: string
}

/** Follows one file through the story. */
export function trueStanding(story: readonly Placed[], path: string): TrueStanding {
  const matches = (other: string) => other === path
  let state: TrueStanding['state'] = 'never-changed'
  let hashes: string[] = []
  let lastChange = -1
  let side: string | undefined
  let isTracked = false
  let isRewritten = false
  /** Commits since the one that took it. */
  let later = 0
  const shown: string[] = []
  let isIgnored = false
  let staged: Staged = { paths: [], isAll: false, isTracked: false, isSeen: false }
  const inside = repositoryOf(path, story)
  const lies = (listed: readonly string[]) => listed.some((one) => matches(one) || isUnder(path, one))
  const usesGit = story.some(({ event }) => 'folder' in event && inside(event.folder))
  for (const { at, event } of story) {
    if ('folder' in event && !inside(event.folder)) continue
    switch (event.kind) {
      case 'edit':
      case 'delete':
        if (!matches(event.path) && !(event.kind === 'delete' && isUnder(path, event.path))) break
        ;[state, hashes, lastChange, side] = ['dirty', [], at, undefined]
        break
      case 'side':
        if (lies(event.paths)) [state, hashes, lastChange, side] = ['dirty', [], at, event.side]
        break
      case 'status':
        if (state === 'never-changed') break
        if (lies(event.dirty)) [state, isTracked] = ['dirty', true]
        else if (event.isWhole && state === 'dirty') state = isTracked ? 'clean' : 'unknown'
        else if (event.isWhole && state === 'unknown' && hashes.length > 0) state = 'committed'
        break
      case 'stage':
        staged = withStage(staged, event)
        break
      case 'ignored':
        isIgnored ||= lies(event.paths)
        break
      case 'commit': {
        if (event.amends) hashes = hashes.length > 0 && event.hash !== undefined ? [event.hash] : hashes
        const hash = event.hash === undefined ? [] : [event.hash]
        const isIn = takesFile(event, staged, lies, isTracked)
        later = isIn === true ? 0 : later + 1
        if (state === 'committed' && isIn === true) hashes = [...hashes, ...hash]
        else if (state !== 'never-changed' && isIn === true) [state, hashes, isTracked] = ['committed', hash, true]
        else if (state === 'dirty' && isIn === undefined) [state, hashes] = ['unknown', hash]
        staged = { paths: [], isAll: false, isTracked: false, isSeen: false }
        break
      }
      case 'shown':
        if (!lies(event.paths)) break
        isTracked = true
        if (state === 'unknown' && hashes.length > 0) state = 'committed'
        break
      case 'reset':
        if (event.paths === 'all' || lies(event.paths)) {
          if (state === 'dirty' || state === 'unknown') state = 'clean'
        }
        break
      case 'stash':
        if (state === 'dirty') state = 'stashed'
        break
      case 'unstash':
        if (state === 'stashed') state = 'dirty'
        break
      case 'rewrite':
        if (later >= (event.newest ?? Number.POSITIVE_INFINITY)) break
        ;[hashes, isRewritten] = [[], true]
        break
      case 'hashes':
        // A rebased commit, or one that was made quietly, has the hash that git shows afterwards.
        if (state === 'committed' && (isRewritten || hashes.length === 0)) shown.push(...event.hashes)
        break
    }
  }
  if (isIgnored || !usesGit) state = state === 'never-changed' ? state : 'no-repository'
  return { state, hashes: [...hashes, ...shown], lastChange, ...(side === undefined ? {} : { side }) }
}

/** The repository of a file is the innermost folder with a git command that has the file in it: `cd web && git status` is about all of it. */
function repositoryOf(path: string, story: readonly Placed[]): (folder: string) => boolean {
  const folders = story.flatMap(({ event }) => ('folder' in event && isUnder(path, event.folder) ? [event.folder] : []))
  const own = folders.toSorted((a, b) => b.length - a.length)[0]
  return (folder) => own !== undefined && (isUnder(folder, own) || isUnder(own, folder))
}

type Staged = {
  readonly paths: readonly string[]
  readonly isAll: boolean
  readonly isTracked: boolean
  readonly isSeen: boolean
}

function withStage(staged: Staged, { paths }: Extract<StoryEvent, { kind: 'stage' }>): Staged {
  if (paths === 'all') return { ...staged, isAll: true, isSeen: true }
  if (paths === 'tracked') return { ...staged, isTracked: true, isSeen: true }
  return { ...staged, paths: [...staged.paths, ...paths], isSeen: true }
}

/** Undefined if the log does not show what was staged. */
function takesFile(
  { takes, created }: Extract<StoryEvent, { kind: 'commit' }>,
  staged: Staged,
  lies: (paths: readonly string[]) => boolean,
  isTracked: boolean,
): boolean | undefined {
  if (lies(created)) return true
  if (Array.isArray(takes)) return lies(takes)
  if (staged.isAll || lies(staged.paths)) return true
  if (takes === 'tracked' || staged.isTracked) return isTracked ? true : undefined
  return staged.isSeen ? false : undefined
}

export function isUnder(path: string, folder: string): boolean {
  const outer = folder.replace(/\/+$/, '')
  return path === outer || path.startsWith(`${outer}/`)
}
