import type { Message } from '../../model/types.ts'
import type { WorkFileState, WorkState } from '../truth/events.ts'
import { workAt } from '../truth/events.ts'
import { readEvents } from '../truth/read-events.ts'
import { type Claim, claimsOf } from './claims.ts'

/** `part` of `whole`. */
export type Counted = { readonly part: number; readonly whole: number }

/** How much of the work a context shows as it is, and how much of what its compactor wrote is wrong. */
export type ShownLedger = {
  readonly shown: Counted
  readonly falseClaims: Counted
  readonly outdated: Counted
  readonly examples: readonly string[]
}

/** Files and checks of the newest work that are asked about. */
const MOST_ASKED = 30

/**
 * A file or a check counts as shown if the newest thing that the context says about it is right: calls and results that it kept are newer
 * than what was written about them. A claim is false if it never held, and outdated if it held once; in both cases nothing else in the context corrects it.
 */
export function shownLedger(context: readonly Message[], truth: WorkState, source: string): ShownLedger {
  const kept = workAt(readEvents(context))
  const claims = claimsOf(context, truth, source)
  const keptFiles = new Map([...kept.files].map(([path, { state }]) => [path, state]))
  const fileRight = (path: string, state: WorkFileState) =>
    keptFiles.has(path)
      ? keptFiles.get(path) === state
      : claims.some((claim) => claim.about === 'file' && claim.path === path && claim.state === state)
  const checkRight = (command: string, ok: boolean) =>
    kept.checks.has(command)
      ? kept.checks.get(command) === ok
      : claims.some((claim) => claim.about === 'check' && claim.command === command && claim.ok === ok)
  const files = [...truth.files].filter(([, { state }]) => state !== 'unknown').slice(-MOST_ASKED)
  const checks = [...truth.checks].slice(-MOST_ASKED)
  const right = [
    ...files.map(([path, { state }]) => fileRight(path, state)),
    ...checks.map(([command, ok]) => checkRight(command, ok)),
  ]
  const verdicts = claims.map((claim) => ({
    claim,
    verdict: verdictOf(claim, truth, source, { fileRight, checkRight }),
  }))
  const judged = verdicts.filter(({ verdict }) => verdict !== 'unknown')
  const share = (is: Verdict) => ({ part: judged.filter(({ verdict }) => verdict === is).length, whole: judged.length })
  return {
    shown: { part: right.filter(Boolean).length, whole: right.length },
    falseClaims: share('false'),
    outdated: share('outdated'),
    examples: judged.filter(({ verdict }) => verdict === 'false').map(({ claim }) => claim.line),
  }
}

type Verdict = 'true' | 'outdated' | 'false' | 'unknown'

type Right = {
  readonly fileRight: (path: string, state: WorkFileState) => boolean
  readonly checkRight: (command: string, ok: boolean) => boolean
}

function verdictOf(claim: Claim, truth: WorkState, source: string, { fileRight, checkRight }: Right): Verdict {
  switch (claim.about) {
    case 'file': {
      const state = truth.files.get(claim.path)?.state
      if (state === undefined || state === 'unknown') return 'unknown'
      if (claim.state === state || fileRight(claim.path, state)) return 'true'
      return truth.ever.has(`${claim.path} ${claim.state}`) ? 'outdated' : 'false'
    }
    case 'check': {
      const ok = truth.checks.get(claim.command)
      if (ok === undefined) return 'unknown'
      if (claim.ok === ok || checkRight(claim.command, ok)) return 'true'
      return truth.ever.has(`${claim.command} ${claim.ok}`) ? 'outdated' : 'false'
    }
    case 'commit':
      return source.includes(claim.hash) ? 'true' : 'false'
  }
}
