import type { AgentEvent, CompactNowResult, TurnEnd } from '../../../agent/agent.ts'
import { callTarget } from '../../../engine/report/item-names.ts'
import { counted, dollars, elapsed, percentText } from '../../../engine/report/numbers.ts'
import { isNamedBy, leftOutText, outcomeLines } from '../../../engine/report/outcome.ts'
import { oneLine } from '../../../model/text.ts'
import { note, say } from '../../output/show.ts'
import { EXIT } from '../../process/exit-codes.ts'

/** Prints a turn for people: the model's text to standard output, its actions to standard error. */
export function textPrinter(): (event: AgentEvent) => void {
  let atLineStart = true
  let percent = ''
  // A program that reads the output gets finished answers only: one that breaks off is asked for again.
  const waits = !process.stdout.isTTY
  let waiting = ''
  const show = (text: string) => {
    say(text)
    if (text !== '') atLineStart = text.endsWith('\n')
  }
  const sayWaiting = () => {
    show(waiting)
    waiting = ''
  }
  const beside = (line: string) => {
    if (!atLineStart) say('\n')
    atLineStart = true
    note(line)
  }
  return (event) => {
    switch (event.type) {
      case 'text':
        if (!waits) return show(event.text)
        waiting += event.text
        return
      case 'entry':
        return sayWaiting()
      case 'answer-void':
        waiting = ''
        return beside(`↻ ${event.failure.text}: asking again`)
      case 'retry':
        return beside(`↻ ${event.failure.text}: trying again in ${elapsed(event.inMs)} (attempt ${event.attempt})`)
      case 'tool-started':
        return beside(`● ${event.toolName} ${oneLine(callTarget(event.input), 100)}`.trimEnd())
      case 'tool-finished':
        return event.isError ? beside(`  ✗ ${oneLine(event.text, 160)}`) : failedCommand(event.text).forEach(beside)
      case 'compaction':
        return event.event.type === 'start' ? beside('⚡ Compacting…') : undefined
      case 'compaction-ended':
        return compactionLines(event.result).forEach(beside)
      case 'status':
        percent = percentText(event.status)
        return
      case 'notice':
        return beside(event.text)
      case 'turn-ended':
        return beside(endLine(event.end, percent))
    }
  }
}

/** Entries are not printed, so what they name is said here; the agent itself says the rest. */
function compactionLines(result: CompactNowResult): string[] {
  const lines = outcomeLines(result)
  const leftOut = result.compacted ? result.leftOut : undefined
  return leftOut !== undefined && isNamedBy(result.entries, leftOut) ? [...lines, `  ${leftOutText(leftOut)}`] : lines
}

function endLine({ reason, text, steps, cost }: TurnEnd, percent: string): string {
  const facts = [
    counted(steps, 'step'),
    ...(percent === '' ? [] : [`context ${percent}`]),
    ...(cost === undefined ? [] : [dollars(cost)]),
  ]
  return `${markOf(reason, text)} ${text === '' ? '' : `${text} · `}${facts.join(' · ')}`
}

/** A turn that ended by itself may still have something to report, such as a refused call: it gets no tick. */
function markOf(reason: TurnEnd['reason'], text: string): string {
  if (reason !== 'done') return '✗'
  return text === '' ? '✓' : '!'
}

/** The note on a command that ended with another exit code than 0. */
function failedCommand(text: string): string[] {
  const [, code = '0'] = /\[exit code: (\d+)\]$/.exec(text) ?? []
  return code === '0' ? [] : [`  ✗ exit code ${code}`]
}

/** The result of a run, for the program that started it. */
export type RunResult = Omit<TurnEnd, 'reason'> & {
  readonly reason: TurnEnd['reason'] | 'out-of-budget'
  readonly exitCode: number
  /** How many calls the permissions refused. */
  readonly refused: number
}

/** The result of a run by how its turn ended, what was refused, and the limit that ended it. */
export function runResult(
  end: TurnEnd,
  { refused, exceeded }: { readonly refused: number; readonly exceeded: string | undefined },
): RunResult {
  if (end.reason === 'aborted' && exceeded !== undefined) {
    return { ...end, reason: 'out-of-budget', text: exceeded, exitCode: EXIT.outOfBudget, refused }
  }
  const text = end.reason === 'step-limit' ? (exceeded ?? end.text) : end.text
  return { ...withRefusals({ ...end, text }, refused), exitCode: codeOf(end, refused), refused }
}

/** The end of a turn that was not stopped, with the calls that the permissions refused in its text: not all is well then. */
export function withRefusals(end: TurnEnd, refused: number): TurnEnd {
  if (end.reason !== 'done' || refused === 0) return end
  const text = `${counted(refused, 'call')} refused by the permissions`
  return { ...end, text: end.text === '' ? text : `${text} · ${end.text}` }
}

function codeOf({ reason }: TurnEnd, refused: number): number {
  switch (reason) {
    case 'done':
      return refused === 0 ? EXIT.done : EXIT.refused
    case 'refused':
      return EXIT.refused
    case 'step-limit':
    case 'context-limit':
      return EXIT.outOfBudget
    case 'aborted':
      return EXIT.interrupted
    case 'failed':
      return EXIT.failed
  }
}
