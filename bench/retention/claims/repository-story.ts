import { absolute, type RawStep } from './raw-session.ts'
import { type Segment, segmentsOf } from './shell-segments.ts'

/** An event of the log about files in a repository, in order. Paths are absolute. */
export type StoryEvent =
  | { readonly kind: 'edit' | 'delete'; readonly path: string }
  /** Lists every file with uncommitted changes below `folder`, or only some of them. */
  | { readonly kind: 'status'; readonly folder: string; readonly dirty: readonly string[]; readonly isWhole: boolean }
  | { readonly kind: 'stage'; readonly folder: string; readonly paths: readonly string[] | 'all' | 'tracked' }
  | Commit
  /** Files that a commit has, as `git show --stat` and the like list them. */
  | { readonly kind: 'shown'; readonly paths: readonly string[]; readonly hash?: string }
  | { readonly kind: 'ignored'; readonly paths: readonly string[] }
  | { readonly kind: 'reset'; readonly folder: string; readonly paths: readonly string[] | 'all' }
  /** One side of a merge was taken. */
  | { readonly kind: 'side'; readonly folder: string; readonly paths: readonly string[]; readonly side: string }
  | { readonly kind: 'stash' | 'unstash'; readonly folder: string }
  /** Hashes made before it may be gone; only those of the newest commits, if git says how many. */
  | { readonly kind: 'rewrite'; readonly folder: string; readonly newest?: number }
  | { readonly kind: 'hashes'; readonly folder: string; readonly hashes: readonly string[] }

type Commit = {
  readonly kind: 'commit'
  readonly folder: string
  readonly hash?: string
  readonly amends: boolean
  readonly takes: 'staged' | 'tracked' | readonly string[]
  readonly created: readonly string[]
}

/** An event with the index of the step that it belongs to. */
export type Placed = { readonly at: number; readonly event: StoryEvent }

export function storyOf(steps: readonly RawStep[]): Placed[] {
  return steps.flatMap((step, at) => [...toolEvents(step), ...shellEvents(step)].map((event) => ({ at, event })))
}

const EDITORS =
  /^(?:edit|write|multiedit|notebookedit|apply_patch|write_file|replace|edit_file|create|insert|str_replace|str_replace_editor)$/i

function toolEvents({ tool, input, folder, ok }: RawStep): StoryEvent[] {
  if (ok === false) return []
  const patch = [input.input, input.patch, input.patchText, input.command, input.cmd]
    .map((value) => (Array.isArray(value) ? value.map(String).at(-1) : value))
    .find((value): value is string => typeof value === 'string' && value.includes('*** Begin Patch'))
  if (patch !== undefined) {
    return [...patch.matchAll(/^\*\*\* (Update|Add|Delete) File: (.+)$/gm)].map(([, verb, path = '']) => ({
      kind: verb === 'Delete' ? 'delete' : 'edit',
      path: absolute(path.trim(), folder),
    }))
  }
  if (!EDITORS.test(tool) || input.command === 'view') return []
  const path = [input.file_path, input.filePath, input.path, input.notebook_path].find((one) => typeof one === 'string')
  return typeof path === 'string' ? [{ kind: 'edit', path: absolute(path, folder) }] : []
}

function shellEvents(step: RawStep): StoryEvent[] {
  const segments = segmentsOf(step)
  return segments.flatMap((segment) => [...fileEvents(segment, step), ...gitEvents(segment, step)])
}

/** The effects of ordinary programs on files, if they are plain from the words. */
function fileEvents({ words, folder, text }: Segment, { ok }: RawStep): StoryEvent[] {
  const [name = '', ...rest] = words
  const operands = rest.filter((word) => !/^[-<>]|^\d?>/.test(word))
  const to = (path: string) => absolute(path, folder)
  const events: StoryEvent[] = [...text.matchAll(/(?:^|\s)>{1,2}\s*([^\s&|;'"()]+)/g)]
    .map(([, path = '']) => path)
    .filter((path) => path !== '/dev/null')
    .map((path) => ({ kind: 'edit', path: to(path) }))
  if (ok === false) return events
  if (name === 'rm') events.push(...operands.map((path) => ({ kind: 'delete' as const, path: to(path) })))
  if (name === 'sed' && rest.some((word) => /^-[a-zE]*i/.test(word)))
    events.push(...operands.slice(1).map((path) => ({ kind: 'edit' as const, path: to(path) })))
  if (name === 'mv' || name === 'cp') {
    const target = operands.at(-1) ?? ''
    for (const source of operands.slice(0, -1)) {
      if (name === 'mv') events.push({ kind: 'delete', path: to(source) })
      const isFolder = target.endsWith('/') || operands.length > 2
      const path = isFolder ? `${target.replace(/\/$/, '')}/${source.split('/').at(-1)}` : target
      events.push({ kind: 'edit', path: to(path) })
    }
  }
  if (name === 'tee') events.push(...operands.map((path) => ({ kind: 'edit' as const, path: to(path) })))
  return events
}

function gitEvents({ words, folder: at }: Segment, { output, ok }: RawStep): StoryEvent[] {
  if (words[0] !== 'git') return []
  let [folder, i] = [at, 1]
  for (; words[i]?.startsWith('-'); i++) {
    if (words[i] === '-C') folder = absolute(words[i + 1] ?? '', folder)
    if (words[i] === '-C' || words[i] === '-c') i++
  }
  const [verb = '', ...rest] = words.slice(i)
  const operands = operandsOf(rest)
  const has = (...options: readonly string[]) => rest.some((word) => options.includes(word.replace(/=.*$/, '')))
  const paths = (words: readonly string[]) => words.map((path) => absolute(path.replace(/^:\//, ''), folder))
  // In `git add … && git commit … && git push` the push may fail after the commit was made.
  const isCommitted = MADE.test(output) && COMMIT_STEPS.has(verb)
  if (IS_FATAL.test(output) && ok === false && !isCommitted) return ignoredIn(output, folder)
  switch (verb) {
    case 'status':
      return statusEvents(output, folder, operands, has)
    case 'add':
    case 'stage': {
      if (ok === false && !isCommitted) return ignoredIn(output, folder)
      const all = (has('-A', '--all') && operands.length === 0) || operands.some((path) => /^(?:\.|:\/|\*)$/.test(path))
      if (all) return [{ kind: 'stage', folder, paths: 'all' }]
      if (has('-u', '--update')) return [{ kind: 'stage', folder, paths: 'tracked' }]
      return [{ kind: 'stage', folder, paths: paths(operands) }, ...ignoredIn(output, folder)]
    }
    case 'rm':
    case 'mv':
      return ok === false && !isCommitted ? [] : [{ kind: 'stage', folder, paths: paths(operands) }]
    case 'commit':
      return commitEvents(output, ok, folder, rest, paths)
    case 'cherry-pick':
    case 'revert':
    case 'merge':
    case 'am':
      return ok === false ? [] : [{ kind: 'hashes', folder, hashes: hashesIn(output) }]
    case 'pull':
    case 'rebase':
    case 'filter-branch': {
      if (ok === false) return []
      const newest = /Rebasing \(\d+\/(\d+)\)/.exec(output)?.[1]
      const isRewrite = verb !== 'pull' || /Successfully rebased/.test(output)
      return [
        ...(isRewrite ? [{ kind: 'rewrite' as const, folder, ...(newest && { newest: Number(newest) }) }] : []),
        { kind: 'hashes', folder, hashes: hashesIn(output) },
      ]
    }
    case 'reset':
      if (ok === false) return []
      if (has('--hard'))
        return [
          { kind: 'reset', folder, paths: 'all' },
          { kind: 'rewrite', folder },
        ]
      return operands.some((one) => /^(?:HEAD[~^]|[0-9a-f]{7,40}$|origin\/)/.test(one))
        ? [{ kind: 'rewrite', folder }]
        : []
    case 'checkout':
    case 'restore':
      return ok === false ? [] : restoreEvents(verb, rest, folder, paths)
    case 'clean':
      return ok === false ? [] : [{ kind: 'reset', folder, paths: 'all' }]
    case 'stash':
      if (ok === false) return []
      if (/^(?:pop|apply|branch|drop|clear)$/.test(operands[0] ?? '')) return [{ kind: 'unstash', folder }]
      return /^(?:list|show)$/.test(operands[0] ?? '') ? [] : [{ kind: 'stash', folder }]
    case 'show':
      return [
        { kind: 'shown', paths: paths(listedFiles(output)), ...hashOf(output) },
        { kind: 'hashes', folder, hashes: hashesIn(output) },
      ]
    case 'log':
    case 'reflog':
      return [
        ...(has('--stat', '--name-only', '--name-status')
          ? [{ kind: 'shown' as const, paths: paths(listedFiles(output)) }]
          : []),
        { kind: 'hashes', folder, hashes: hashesIn(output) },
      ]
    case 'diff':
      return diffEvents(output, folder, operands, has, paths)
    case 'ls-files':
      return has('--others', '-o', '--modified', '-m') && !has('--ignored', '-i')
        ? [{ kind: 'status', folder, dirty: paths(output.split('\n').filter(isPath)), isWhole: false }]
        : []
    case 'check-ignore':
      return [{ kind: 'ignored', paths: paths(output.split('\n').filter(isPath)) }]
    default:
      return []
  }
}

const COMMIT_STEPS: ReadonlySet<string> = new Set(['add', 'stage', 'rm', 'mv', 'commit'])
const MADE = /^\s*\[\S+(?: \([\w-]+\)| HEAD)? ([0-9a-f]{7,40})\] /m
const IS_FATAL = /^(?:fatal|error): /m
const isPath = (line: string) => /^[^\s:][^\n:]*$/.test(line) && line.length < 200

function operandsOf(words: readonly string[]): string[] {
  const operands: string[] = []
  for (let i = 0; i < words.length; i++) {
    const word = words[i] ?? ''
    if (/^(?:-m|-F|-C|--message|--file|--author|--date|-n|--format|--pretty)$/.test(word)) i++
    else if (!/^-|^\d?>|^</.test(word)) operands.push(word)
  }
  return operands
}

function ignoredIn(output: string, folder: string): StoryEvent[] {
  const listed = /paths are ignored by one of your \.gitignore files:\n((?:[^\n]+\n?)+?)(?:hint|$)/.exec(output)?.[1]
  return listed === undefined
    ? []
    : [
        {
          kind: 'ignored',
          paths: listed
            .split('\n')
            .filter(isPath)
            .map((path) => absolute(path, folder)),
        },
      ]
}

function statusEvents(
  output: string,
  folder: string,
  operands: readonly string[],
  has: (...options: readonly string[]) => boolean,
): StoryEvent[] {
  const isShort = has('-s', '--short', '--porcelain', '-sb', '-bs')
  const lines = output.split('\n')
  const short = lines.flatMap(
    (line) => /^([ MADRCUT?!]{2}) "?([^"]+?)"?(?: -> "?([^"]+?)"?)?$/.exec(line.trimEnd()) ?? [],
  )
  const dirty: string[] = []
  if (isShort) {
    for (const line of lines) {
      const match = /^([ MADRCUT?]{2}) "?(.+?)"?(?: -> "?(.+?)"?)?$/.exec(line.trimEnd())
      if (match !== null && /\S/.test(match[1] ?? ''))
        dirty.push(...[match[2], match[3]].filter((path) => path !== undefined))
    }
  } else {
    let isUntracked = false
    for (const line of lines) {
      if (/^Untracked files:/.test(line)) isUntracked = true
      if (/^(?:Changes |On branch|Unmerged)/.test(line)) isUntracked = false
      const named =
        /^\s+(?:modified|new file|deleted|renamed|both modified|both added|deleted by \w+|typechange):\s+(.+?)(?: -> (.+))?$/.exec(
          line,
        )
      if (named !== null) dirty.push(...[named[1], named[2]].filter((path) => path !== undefined))
      else if (isUntracked && /^\s+[^\s(]/.test(line)) dirty.push(line.trim())
    }
  }
  const isClean = /nothing to commit, working (?:tree|directory) clean/.test(output)
  // Other programs in the same command line print, too: an empty list counts only if nothing else was printed.
  const isListing = dirty.length > 0 || isClean || (isShort && short.length === 0 && !/\S/.test(bare(output)))
  if (!isListing) return []
  const isWhole = operands.length === 0 && !has('-uno', '--untracked-files')
  return [{ kind: 'status', folder, dirty: dirty.map((path) => absolute(path, folder)), isWhole }]
}

/** An output without the lines that agents put around it. */
function bare(output: string): string {
  return output
    .replace(/^(?:Command|Chunk ID|Wall time|Process exited|Exit code|Original token count|Output):.*$/gm, '')
    .replace(/^\(.*(?:no output|completed).*\)$/gim, '')
    .replace(/^(?:Process exited with code \d+|## .*)$/gm, '')
}

function commitEvents(
  output: string,
  ok: boolean | undefined,
  folder: string,
  rest: readonly string[],
  paths: (words: readonly string[]) => string[],
): StoryEvent[] {
  const reported = MADE.exec(output)?.[1]
  if (reported === undefined && (ok !== true || NOT_MADE.test(output))) return []
  const amends = rest.includes('--amend')
  const isAll = rest.some((word) => /^-[a-zA-Z]*a[a-zA-Z]*$/.test(word) || word === '--all')
  const after = rest.indexOf('--')
  const named = after === -1 ? operandsOf(rest) : rest.slice(after + 1)
  const created = [...output.matchAll(/^ (?:create|delete) mode \d+ (.+)$/gm)].map(([, path = '']) => path)
  const takes = isAll ? 'tracked' : named.length > 0 ? paths(named) : 'staged'
  return [
    {
      kind: 'commit',
      folder,
      ...(reported === undefined ? {} : { hash: reported }),
      amends,
      takes,
      created: paths(created),
    },
    { kind: 'shown', paths: paths(listedFiles(output)) },
  ]
}

const NOT_MADE =
  /nothing to commit|no changes added|nothing added to commit|^(?:error|fatal): |hook (?:failed|exited)|Aborting commit/m

function restoreEvents(
  verb: string,
  rest: readonly string[],
  folder: string,
  paths: (words: readonly string[]) => string[],
): StoryEvent[] {
  const side = rest.find((word) => /^--(?:theirs|ours)$/.test(word))?.slice(2)
  if (side !== undefined)
    return [{ kind: 'side', folder, paths: paths(operandsOf(rest).filter((word) => word !== '--')), side }]
  if (rest.some((word) => /^--(?:theirs|ours|merge|staged|conflict)/.test(word)) && !rest.includes('--worktree'))
    return []
  const after = rest.indexOf('--')
  const named = after !== -1 ? rest.slice(after + 1) : verb === 'restore' ? operandsOf(rest) : []
  const guessed =
    named.length > 0 ? named : verb === 'checkout' ? operandsOf(rest).filter((one) => /\.\w+$/.test(one)) : []
  if (guessed.length === 0) return rest.includes('.') ? [{ kind: 'reset', folder, paths: 'all' }] : []
  return [{ kind: 'reset', folder, paths: guessed.includes('.') ? 'all' : paths(guessed) }]
}

function diffEvents(
  output: string,
  folder: string,
  operands: readonly string[],
  has: (...options: readonly string[]) => boolean,
  paths: (words: readonly string[]) => string[],
): StoryEvent[] {
  const listed = paths(listedFiles(output))
  const isOfCommits = operands.some((one) =>
    /\.\.|^[0-9a-f]{7,40}$|^HEAD[~^]|^(?:origin|upstream)\/|^(?:main|master)$/.test(one),
  )
  if (has('--no-index') || listed.length === 0) return []
  return isOfCommits ? [] : [{ kind: 'status', folder, dirty: listed, isWhole: false }]
}

/** ` src/a.ts | 12 ++--`, `M\tsrc/a.ts`, `diff --git a/x b/x` */
function listedFiles(output: string): string[] {
  const stat = [...output.matchAll(/^ (\S[^|\n]*?)\s+\|\s+(?:\d+|Bin)/gm)].map(([, path = '']) => path)
  const named = [...output.matchAll(/^[MADRC]\d*\t([^\t\n]+)(?:\t([^\t\n]+))?$/gm)].flatMap(([, a, b]) => [a, b])
  const diffs = [...output.matchAll(/^diff --git a\/(\S+) b\/(\S+)$/gm)].map(([, , path = '']) => path)
  return [...stat, ...named, ...diffs].filter((path): path is string => path !== undefined && !path.includes('...'))
}

function hashOf(output: string): { hash?: string } {
  const hash = /^commit ([0-9a-f]{40})/m.exec(output)?.[1]
  return hash === undefined ? {} : { hash }
}

function hashesIn(output: string): string[] {
  return [...output.matchAll(/\b[0-9a-f]{7,40}\b/g)].map(([hash]) => hash)
}
