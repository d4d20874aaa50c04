import { type Message, partsOf } from '../../model/types.ts'
import { happened, noWork, type TruthEvent, type Work, type WorkState } from '../truth/events.ts'
import { stringsOf } from '../truth/needed.ts'
import { type ToolStep, toolSteps } from '../truth/steps.ts'
import { type Claim, claimReader } from './claims.ts'
import { isMasked } from './shown.ts'

/** `part` of `whole`. */
export type Counted = { readonly part: number; readonly whole: number }

/** How much of the work a context shows as it is, and how much of what it shows is wrong. */
export type ShownLedger = {
  readonly shown: Counted
  readonly wrong: Counted
  readonly falseClaims: Counted
  readonly outdated: Counted
  readonly examples: readonly string[]
}

/** What is known of a session before any compactor has run. */
export type LedgerTruth = {
  readonly work: WorkState
  readonly events: readonly TruthEvent[]
  /** The session's calls, by their ids and by their arguments. */
  readonly calls: Calls
  /** The session's text in one line. */
  readonly flat: string
}

type Calls = { readonly byId: ReadonlyMap<string, ToolStep[]>; readonly byInput: ReadonlyMap<string, ToolStep[]> }

export function callsIn(messages: readonly Message[]): Calls {
  const steps = toolSteps(messages)
  return { byId: Map.groupBy(steps, ({ id }) => id), byInput: Map.groupBy(steps, inputKey) }
}

/** Files and checks of the newest work that are asked about. */
const MOST_ASKED = 30

/**
 * Of each file and check the newest thing that the context shows is compared with the truth: a call that it kept, or a statement. A claim is false
 * if it never held, and outdated if it held once and nothing newer in the context corrects it.
 */
export function shownLedger(context: readonly Message[], truth: LedgerTruth): ShownLedger {
  const { work, flat } = truth
  const { shown, claims } = readInOrder(context, truth)
  const files = [...work.files].filter(([, { state }]) => state !== 'unknown').slice(-MOST_ASKED)
  const checks = [...work.checks].slice(-MOST_ASKED)
  const stateOf = (path: string) => {
    const state = shown.files.get(path)?.state
    return state === 'unknown' ? undefined : state
  }
  const answers = [
    ...files.map(([path, { state }]) => ({ is: state as unknown, said: stateOf(path) as unknown })),
    ...checks.map(([command, ok]) => ({ is: ok, said: shown.checks.get(command) })),
  ]
  const share = (part: number) => ({ part, whole: answers.length })
  const judged = claims.flatMap((claim) => {
    const verdict = verdictOf(claim, work, shown, flat)
    return verdict === 'unknown' ? [] : [{ line: claim.line, verdict }]
  })
  const verdicts = (is: Verdict) => ({
    part: judged.filter(({ verdict }) => verdict === is).length,
    whole: judged.length,
  })
  return {
    shown: share(answers.filter(({ is, said }) => said === is).length),
    wrong: share(answers.filter(({ is, said }) => said !== undefined && said !== is).length),
    falseClaims: verdicts('false'),
    outdated: verdicts('outdated'),
    examples: judged.filter(({ verdict }) => verdict === 'false').map(({ line }) => line),
  }
}

/** The work as somebody knows it who reads the context from its beginning to its end. */
function readInOrder(context: readonly Message[], { work, events, calls, flat }: LedgerTruth) {
  const shown = noWork()
  const claims: Claim[] = []
  const read = claimReader(work, flat)
  const steps = toolSteps(context)[Symbol.iterator]()
  for (const message of context)
    for (const part of partsOf(message)) {
      if (part.type === 'text' && message.role !== 'tool')
        for (const claim of read(part.text)) {
          claims.push(claim)
          stated(shown, claim)
        }
      const step = part.type === 'tool-call' ? steps.next().value : undefined
      if (step !== undefined) for (const event of eventsOf(step, events, calls)) happened(shown, event)
    }
  return { shown, claims }
}

function stated({ files, checks }: Work, claim: Claim): void {
  if (claim.about === 'file') {
    if (claim.state === undefined) files.delete(claim.path)
    else if (!claim.isPlain || !files.has(claim.path)) files.set(claim.path, { state: claim.state })
  } else if (claim.about === 'check') {
    if (claim.ok === undefined) checks.delete(claim.command)
    else checks.set(claim.command, claim.ok)
  }
}

/**
 * The events of a call that a context kept. It is the session's call if its id is and the beginnings of its arguments are there: long ones may have
 * been cut. How a check ended is shown by its result.
 */
function eventsOf(step: ToolStep, events: readonly TruthEvent[], { byId, byInput }: Calls): TruthEvent[] {
  const sameId = byId.get(step.id) ?? []
  const original = sameId.length === 1 ? sameId[0] : byInput.get(inputKey(step))?.at(-1)
  if (original === undefined || original.name !== step.name) return []
  const kept = stringsOf(step.input).join('\n')
  if (!stringsOf(original.input).every((text) => kept.includes(text.slice(0, BEGINNING)))) return []
  const hasEnd = step.output !== undefined && !isMasked(step) && step.outcome === original.outcome
  // Published sessions have all ids blacked out.
  const isIts = ({ at, call }: TruthEvent) => call === original.id && (sameId.length === 1 || at === original.message)
  return events.filter((event) => isIts(event) && (event.kind !== 'check' || hasEnd))
}

const BEGINNING = 60

function inputKey({ name, input }: ToolStep): string {
  return `${name} ${JSON.stringify(input)}`
}

type Verdict = 'true' | 'outdated' | 'false' | 'unknown'

function verdictOf(claim: Claim, { files, checks, ever }: WorkState, shown: Work, flat: string): Verdict {
  if (claim.about === 'commit') return flat.includes(claim.hash) ? 'true' : 'false'
  const [is, said, newest, key] =
    claim.about === 'file'
      ? [files.get(claim.path)?.state, claim.state, shown.files.get(claim.path)?.state, `${claim.path} ${claim.state}`]
      : [checks.get(claim.command), claim.ok, shown.checks.get(claim.command), `${claim.command} ${claim.ok}`]
  if (is === undefined || is === 'unknown' || said === undefined) return 'unknown'
  if (said === is) return 'true'
  if (!ever.has(key)) return 'false'
  return newest === is ? 'true' : 'outdated'
}
