import { type CheckRun, checkRuns, covers } from './check-truth.ts'
import type { Claim } from './claims-in.ts'
import type { RawStep } from './raw-session.ts'
import { type Placed, storyOf } from './repository-story.ts'
import { commandLine } from './shell-segments.ts'
import { type TrueStanding, trueStanding } from './standing-truth.ts'

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
    case 'a check ran': {
      const run = truth.runs.findLast(({ text }) => isClipped(claim.commands?.passed ?? '', text))
      if (run === undefined) return ['unread', '']
      return run.ok === undefined ? ['true', ''] : ['false', `it ${run.ok ? 'passed' : 'failed'}`]
    }
    case 'passed later': {
      const { failed = '', passed = '' } = claim.commands ?? {}
      return includes(passed, failed) ? ['true', ''] : ['false', 'another command']
    }
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
  const since = truth.runs.filter((run) => run.at > lastChange && isClipped(check.command, run.line))
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

function isSameBody(before: string, after: string): boolean {
  const old = new Set(before.split('\n').map((line) => line.trim()))
  const lines = after
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line.length > 2)
  return lines.length > 0 && lines.filter((line) => old.has(line)).length / lines.length >= 0.6
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

/** True if a command is another one, or runs everything that its last program runs. */
function includes(wide: string, narrow: string): boolean {
  const [a, b] = [plain(wide), plain(narrow)].map((text) => text.replace(/ ?…$/, '').split(/ *(?:&&|;) */))
  const last = b?.at(-1) ?? ''
  return (a ?? []).some((part) => part.startsWith(last) || last.startsWith(part) || hasWider(part, last))
}

function hasWider(wide: string, narrow: string): boolean {
  const [a, b] = [wide.split(' '), narrow.split(' ')]
  if (a[0] !== b[0] || (a[1] !== b[1] && !/^[-.]/.test(a[1] ?? '-'))) return false
  return a.slice(2).every((word) => b.includes(word) || /^(?:\.\/\.\.\.|\.|--\S+|-[vc]\S*|'.*)$/.test(word))
}
