import { type CheckRun, checkRuns, covers } from './check-truth.ts'
import type { Claim } from './claims-in.ts'
import type { RawStep } from './raw-session.ts'
import { type Placed, storyOf } from './repository-story.ts'
import { commandLine, segmentsOf } from './shell-segments.ts'
import { isUnder, type TrueStanding, trueStanding } from './standing-truth.ts'

/** `unread`: this checker does not find the file or the command in the session, so it says nothing. */
export type Verdict = { readonly claim: Claim; readonly verdict: 'true' | 'false' | 'unread'; readonly why: string }

/** Judges the claims of a record by the session that it was made from. */
export function judgeClaims(claims: readonly Claim[], steps: readonly RawStep[]): Verdict[] {
  const truth: Truth = { steps, story: storyOf(steps), runs: checkRuns(steps) }
  return claims.map((claim) => {
    const [verdict, why] = judged(claim, truth)
    return { claim, verdict, why }
  })
}

type Truth = {
  readonly steps: readonly RawStep[]
  readonly story: readonly Placed[]
  readonly runs: readonly CheckRun[]
}
type Judged = readonly [verdict: Verdict['verdict'], why: string]

function judged(claim: Claim, truth: Truth): Judged {
  const { path = '', hash } = claim
  switch (claim.kind) {
    case 'uncommitted':
      return byState(standing(path, truth), 'dirty')
    case 'stashed':
      return byState(standing(path, truth), 'stashed')
    case 'committed': {
      const found = standing(path, truth)
      const [verdict, why] = byState(found, 'committed')
      if (verdict !== 'true' || hash === undefined || found.hashes.some((one) => isSameHash(one, hash)))
        return [verdict, why]
      return ['false', `the log shows ${found.hashes.join(' ') || 'no such commit any more'}`]
    }
    case 'reverted': {
      const found = standing(path, truth)
      return found.state === 'never-changed' ? ['unread', ''] : byState(found, 'clean')
    }
    case 'check on a file':
      return checkOnFile(claim, truth)
    case 'not checked since': {
      const { lastChange, state } = standing(path, truth)
      if (state === 'never-changed') return ['unread', '']
      const run = truth.runs.find((one) => one.at > lastChange && covers(one, fullPath(path, truth)))
      return run === undefined ? ['true', ''] : ['false', run.text]
    }
    case 'renamed':
      return renamed(claim, truth)
    case 'commit hash':
      return commitHash(hash ?? '', truth)
    case 'resolved': {
      const { state, side } = standing(path, truth)
      if (state === 'never-changed') return ['unread', '']
      return side === claim.side ? ['true', ''] : ['false', side ?? 'no side was taken']
    }
    case 'a check ran':
    case 'a check passed or failed': {
      const { command = '', outcome } = claim.check ?? {}
      const runs = truth.runs.filter(({ line }) => isClipped(command, line))
      if (runs.length === 0) return ['unread', '']
      // Several runs may have the same beginning: the record means the last of one of them.
      const ends = new Map(runs.map((run) => [run.line, run.ok]))
      const wanted = outcome === 'ran' ? undefined : outcome === 'passed'
      return [...ends.values()].includes(wanted)
        ? ['true', '']
        : ['false', `it ended: ${[...ends.values()].join(', ')}`]
    }
    case 'passed later':
      return passedLater(claim, truth)
  }
}

function byState({ state }: TrueStanding, wanted: TrueStanding['state']): Judged {
  if (state === 'never-changed') return ['unread', '']
  return state === wanted ? ['true', ''] : ['false', state]
}

const known = new WeakMap<Truth, Map<string, TrueStanding>>()

function standing(path: string, truth: Truth): TrueStanding {
  const byPath = known.get(truth) ?? new Map<string, TrueStanding>()
  known.set(truth, byPath)
  const found = byPath.get(path) ?? trueStanding(truth.story, fullPath(path, truth))
  byPath.set(path, found)
  return found
}

/** A record shortens paths: the end has to be the same. */
function matcher(path: string): (other: string) => boolean {
  const end = path.replace(/^(?:\.\.?\/)+|^~\//, '')
  return (other) => other === path || other.endsWith(`/${end}`)
}

/** The changed file that a record means: many folders have a `README.md`, and the one nearest to the root is meant. */
function fullPath(path: string, { story }: Truth): string {
  const isIt = matcher(path)
  const found = story.flatMap(({ event }) => ('path' in event && isIt(event.path) ? [event.path] : []))
  return found.toSorted((a, b) => a.length - b.length)[0] ?? path
}

function isSameHash(a: string, b: string): boolean {
  return a.startsWith(b) || b.startsWith(a)
}

function checkOnFile({ path = '', check }: Claim, truth: Truth): Judged {
  const { lastChange, state } = standing(path, truth)
  if (state === 'never-changed' || check === undefined) return ['unread', '']
  const full = fullPath(path, truth)
  const ok = check.outcome === 'ran' ? undefined : check.outcome === 'passed'
  const { command, kind } = check
  const since = truth.runs.filter(
    (run) => run.at > lastChange && (command === undefined ? run.kind === kind : isClipped(command, run.line)),
  )
  if (since.some((run) => covers(run, full) && run.ok === ok)) return ['true', '']
  return ['false', since.at(-1)?.text ?? 'no such run since']
}

function renamed({ path = '', names }: Claim, { steps }: Truth): Judged {
  const { from = '', to = '' } = names ?? {}
  const isIt = matcher(path)
  for (const step of steps) {
    const texts = JSON.stringify(step.input)
    if (!texts.includes(from) || !texts.includes(to)) continue
    if (/\b(?:sed|perl|rename|gopls)\b/.test(commandLine(step) ?? '')) return ['true', '']
    const file = [step.input.file_path, step.input.filePath, step.input.path].find((one) => typeof one === 'string')
    if (typeof file === 'string' && !isIt(file)) continue
    for (const { before, after } of replacementsIn(step.input)) {
      if (before.includes(from) && after.includes(to) && isSameBody(before.replaceAll(from, to), after))
        return ['true', '']
    }
  }
  return ['false', 'the text around the name changed, too']
}

function replacementsIn(input: unknown): { before: string; after: string }[] {
  if (Array.isArray(input)) return input.flatMap(replacementsIn)
  if (typeof input === 'string' && input.includes('*** Begin Patch')) return hunksIn(input)
  if (typeof input !== 'object' || input === null) return []
  const fields = input as Record<string, unknown>
  const [before, after] = [
    ['old_string', 'oldString', 'oldText', 'old_str']
      .map((name) => fields[name])
      .find((one) => typeof one === 'string'),
    ['new_string', 'newString', 'newText', 'new_str']
      .map((name) => fields[name])
      .find((one) => typeof one === 'string'),
  ]
  if (typeof before === 'string' && typeof after === 'string') return [{ before, after }]
  return Object.values(fields).flatMap(replacementsIn)
}

function hunksIn(patch: string): { before: string; after: string }[] {
  return patch.split(/^@@.*$/m).map((hunk) => {
    const lines = (marks: RegExp) =>
      hunk
        .split('\n')
        .filter((line) => marks.test(line))
        .map((line) => line.slice(1))
        .join('\n')
    return { before: lines(/^[ -]/), after: lines(/^[ +]/) }
  })
}

/** Everything but the name is as it was. */
function isSameBody(before: string, after: string): boolean {
  const lines = (text: string) => text.split('\n').map((line) => line.trim())
  return lines(before).join('\n') === lines(after).join('\n')
}

/** True if a command of a record, which may be clipped, is this one. */
function isClipped(shown: string, command: string): boolean {
  const [head = ''] = shown.split('…')
  const begin = head.trim().slice(0, 30)
  return command.includes(begin) || plain(command).startsWith(plain(head).slice(0, 60))
}

function plain(command: string): string {
  return command
    .replace(/^(?:cd \S+ *(?:&&|;) *)+/, '')
    .replace(/ *2>&1| *\|.*$/g, '')
    .replace(/\s+/g, ' ')
    .trim()
}

/** A commit of the list has a hash that git reported, and that no rewrite has replaced. */
function commitHash(hash: string, { story }: Truth): Judged {
  const isIt = (one: string | undefined) => one !== undefined && isSameHash(one, hash)
  const made = story.findLastIndex(
    ({ event }) =>
      (event.kind === 'commit' && isIt(event.hash)) || (event.kind === 'hashes' && event.hashes.some(isIt)),
  )
  if (made === -1) return ['unread', '']
  const folder = (event: Placed['event']) => ('folder' in event ? event.folder : '')
  const own = folder(story[made]?.event ?? { kind: 'edit', path: '' })
  // It may have been listed once more after later commits.
  const first = story.findIndex(({ event }) => event.kind === 'commit' && isIt(event.hash))
  const commitsUpTo = (end: number) =>
    story
      .slice(first === -1 ? made : first, end)
      .filter(({ event }) => event.kind === 'commit' && folder(event) === own)
  const gone = story.find(({ event }, i) => {
    if (i <= made || folder(event) !== own) return false
    if (event.kind === 'rewrite') return commitsUpTo(i).length <= (event.newest ?? Number.POSITIVE_INFINITY)
    return isAmended(event, story, made)
  })
  return gone === undefined ? ['true', ''] : ['false', 'it was rewritten later']
}

/** An amend replaces the last commit before it. */
function isAmended(event: Placed['event'], story: readonly Placed[], made: number): boolean {
  if (event.kind !== 'commit' || !event.amends) return false
  const between = story.slice(made + 1).findIndex((one) => one.event === event)
  return !story.slice(made + 1, made + 1 + between).some((one) => one.event.kind === 'commit')
}

/** The same command, or a check that includes the one that failed, passed after it in the same folder. */
function passedLater({ commands }: Claim, { steps, runs }: Truth): Judged {
  const at = (shown: string) => steps.flatMap((step, i) => (isClipped(shown, commandLine(step) ?? '') ? [i] : []))
  const [failed, passed] = [at(commands?.failed ?? ''), at(commands?.passed ?? '')]
  if (failed.length === 0 || passed.length === 0) return ['unread', '']
  const runsAt = (i: number) => runs.filter((run) => run.at === i)
  const isLater = failed.some((f) =>
    passed.some((p) => {
      if (p <= f || steps[p]?.ok === false) return false
      const last = runsAt(f).at(-1)
      return isSameCommand(steps[f], steps[p]) || (last !== undefined && runsAt(p).some((run) => hasRun(run, last)))
    }),
  )
  return isLater ? ['true', ''] : ['false', 'another command']
}

function isSameCommand(a: RawStep | undefined, b: RawStep | undefined): boolean {
  if (a === undefined || b === undefined) return false
  const parts = (step: RawStep) =>
    segmentsOf(step).map(({ words, folder }) => [folder, ...words.filter(isWord)].join(' '))
  const all = new Set(parts(b))
  return parts(a).every((part) => all.has(part) || FILTER.test(part))
}

const isWord = (word: string) => !/^\d?>/.test(word)
/** Programs that only show or shorten what others print. */
const FILTER = /^\S* (?:grep|tail|head|sed|awk|cat|echo|wc|sort|tee)\b/

/** True if a run looks at everything that another one looked at. */
function hasRun(wide: CheckRun, narrow: CheckRun): boolean {
  if (wide.kind !== narrow.kind || wide.files.source !== narrow.files.source || wide.ok === false) return false
  if (!isUnder(narrow.folder, wide.folder)) return false
  if (wide.isFiltered) return wide.text === narrow.text
  if (wide.paths.length === 0) return true
  return narrow.paths.length > 0 && narrow.paths.every((path) => wide.paths.some((one) => isUnder(path, one)))
}
