import type { TurnEnd } from '../../../agent/agent.ts'
import { counted } from '../../../engine/report/numbers.ts'
import { EXIT } from '../../process/exit-codes.ts'

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
