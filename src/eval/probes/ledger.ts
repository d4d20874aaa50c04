import { type Message, partsOf } from '../../model/types.ts'
import { happened, noWork, type TruthEvent, type WorkFileState, type WorkState } from '../truth/events.ts'
import { stringsOf } from '../truth/needed.ts'
import { type ToolStep, toolSteps } from '../truth/steps.ts'
import { type Claim, claimReader } from './claims.ts'
import { isMasked, lastName } from './shown.ts'

/** `part` of `whole`. */
export type Counted = { readonly part: number; readonly whole: number }

/** How much of the work a context shows as it is, and how much of what it shows is wrong. */
export type ShownLedger = {
  readonly shown: Counted
  readonly wrong: Counted
  readonly falseClaims: Counted
  readonly outdated: Counted
  readonly examples: readonly string[]
  /** True if a line states something of what has this name. */
  readonly isStated: (line: string, name: string) => boolean
}

/** The truth about a session, before any compactor has run. */
export type LedgerTruth = {
  readonly work: WorkState
  readonly events: readonly TruthEvent[]
  /** The session's calls, by their ids and by their arguments. */
  readonly calls: Calls
  /** The session's text in one line. */
  readonly flat: string
}

type Calls = {
  readonly byId: ReadonlyMap<string, ToolStep[]>
  readonly byInput: ReadonlyMap<string, ToolStep[]>
}

export function knownCalls(messages: readonly Message[]): Calls {
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
  const files = [...work.files.keys()].filter((path) => stateIn(work, 'file', path) !== undefined)
  const answers = [
    ...files.slice(-MOST_ASKED).map((name) => ({ about: 'file' as const, name })),
    ...[...work.checks.keys()].slice(-MOST_ASKED).map((name) => ({ about: 'check' as const, name })),
  ].map(({ about, name }) => ({ is: stateIn(work, about, name), said: stateIn(shown, about, name) }))
  const stated = Map.groupBy(claims, ({ line }) => line)
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
    isStated: (line, name) => stated.get(line)?.some((claim) => claim.name.includes(name)) === true,
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
          putStated(shown, claim)
        }
      const step = part.type === 'tool-call' ? steps.next().value : undefined
      if (step !== undefined) for (const event of eventsOf(step, events, calls)) happened(shown, event)
    }
  return { shown, claims }
}

function putStated({ files, checks }: WorkState, { about, name, said, isPlain }: Claim): void {
  if (about === 'file') {
    if (said === undefined) files.delete(name)
    else if (!isPlain || !files.has(name)) files.set(name, { state: said as WorkFileState })
  } else if (about === 'check') {
    if (said === undefined) checks.delete(name)
    else checks.set(name, said === 'true')
  }
}

function stateIn({ files, checks }: WorkState, about: Claim['about'], name: string): string | undefined {
  const is = about === 'file' ? files.get(name)?.state : checks.get(name)
  return is === undefined || is === 'unknown' ? undefined : String(is)
}

/**
 * The events of a call that a context kept with a result that ended as the session's did. It is the session's call if it has its id and the
 * beginnings of its arguments: long ones may have been cut, but not the names of the files. How a check ended is shown by its own result.
 */
function eventsOf(step: ToolStep, events: readonly TruthEvent[], { byId, byInput }: Calls): TruthEvent[] {
  const sameId = byId.get(step.id) ?? []
  const original = sameId.length === 1 ? sameId[0] : byInput.get(inputKey(step))?.at(-1)
  if (original === undefined || original.name !== step.name || original.outcome !== step.outcome) return []
  const [kept, texts] = [stringsOf(step.input).join('\n'), stringsOf(original.input)]
  if (!texts.every((text) => kept.includes(text.slice(0, BEGINNING)))) return []
  const [end, whole] = [step.output ?? '', (original.output ?? '').trim()]
  const hasEnd = !isMasked(step) && (end.includes(whole.slice(0, BEGINNING)) || end.includes(whole.slice(-BEGINNING)))
  const all = texts.join('\n')
  const isShown = (event: TruthEvent) =>
    event.kind === 'check' ? hasEnd : filesOf(event).every((file) => kept.includes(file) || !all.includes(file))
  // Published sessions have all ids blacked out.
  const isIts = ({ at, call }: TruthEvent) => call === original.id && (sameId.length === 1 || at === original.message)
  return events.filter((event) => isIts(event) && isShown(event))
}

/** The last names of the files that git changed: it is given relative paths, and editors whole ones. */
function filesOf(event: TruthEvent): string[] {
  if (event.kind === 'rename') return [event.path, event.to].map(lastName)
  if (event.kind === 'revert') return [lastName(event.path)]
  return event.kind === 'commit' && typeof event.paths !== 'string' ? event.paths.map(lastName) : []
}

const BEGINNING = 60

function inputKey({ name, input }: ToolStep): string {
  return `${name} ${JSON.stringify(input)}`
}

type Verdict = 'true' | 'outdated' | 'false' | 'unknown'

function verdictOf({ about, name, said }: Claim, work: WorkState, shown: WorkState, flat: string): Verdict {
  if (about === 'commit') return flat.includes(name) ? 'true' : 'false'
  const is = stateIn(work, about, name)
  if (is === undefined || said === undefined) return 'unknown'
  if (said === is) return 'true'
  if (!work.ever.has(`${name} ${said}`)) return 'false'
  return stateIn(shown, about, name) === is ? 'true' : 'outdated'
}
