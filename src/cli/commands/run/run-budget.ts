import type { AgentEvent } from '../../../agent/agent.ts'
import { AbortReason } from '../../../agent/interruption.ts'
import { type Rule, type Rules, ruleSchema } from '../../../agent/permissions/rule.ts'
import { dollars } from '../../../engine/report/numbers.ts'
import { PithError } from '../../../model/problems/errors.ts'
import type { SpentMeter } from '../../../session/account/spent-meter.ts'
import type { RunFlags } from './run.ts'

/** Watches what a run costs and how long it takes, and ends it when that is too much. */
export class RunBudget {
  readonly #limits: RunLimits
  readonly #meter: SpentMeter
  readonly #before: number
  readonly #stop = new AbortController()
  readonly #timer: NodeJS.Timeout | undefined
  #exceeded: string | undefined

  /** The meter has read the session as it was before the run. */
  constructor(limits: RunLimits, meter: SpentMeter) {
    this.#limits = limits
    this.#meter = meter
    this.#before = meter.report.cost ?? 0
    const { maxTimeMs } = limits
    if (maxTimeMs !== undefined) {
      this.#timer = setTimeout(
        () => this.#end(`the run took longer than ${maxTimeMs / 1_000} s (--max-time)`),
        maxTimeMs,
      )
    }
  }

  get signal(): AbortSignal {
    return this.#stop.signal
  }

  /** Why the run was ended; undefined when it was not. */
  get exceeded(): string | undefined {
    return this.#exceeded
  }

  /** Takes an event of the run into account. */
  take(event: AgentEvent): void {
    if (event.type === 'entry') this.#meter.add(event.entry)
    if (event.type === 'compaction-ended') for (const entry of event.result.entries) this.#meter.add(entry)
    const cost = (this.#meter.report.cost ?? 0) - this.#before
    const { maxCost } = this.#limits
    if (maxCost !== undefined && cost > maxCost) {
      this.#end(`the run has cost ${dollars(cost)}, more than $${maxCost} (--max-cost)`)
    }
  }

  close(): void {
    clearTimeout(this.#timer)
  }

  #end(why: string): void {
    if (this.#exceeded !== undefined) return
    this.#exceeded = why
    this.#stop.abort(new AbortReason(why))
  }
}

/** The limits and permissions of a run, in addition to the user's settings. */
export type RunLimits = {
  /** In US dollars. */
  readonly maxCost?: number
  readonly maxTimeMs?: number
  readonly maxSteps?: number
  readonly rules: Rules
}

/** Reads the limits of a command line; a wrong rule is an error of one line. */
export function runLimits({ maxCost, maxTime, maxSteps, allow = [], deny = [] }: RunFlags): RunLimits {
  return { maxCost, maxTimeMs: maxTime, maxSteps, rules: { always: allow.map(ruleIn), never: deny.map(ruleIn) } }
}

/**
 * Refuses a prompt that may have swallowed a rule, as in `pith run "go" --deny a b`: a denial must never be lost. So only a
 * whole prompt in one argument, which is not written as a rule, may come right after a rule.
 */
export function refuseStrayRule(
  args: readonly string[],
  words: readonly string[],
  { allow = [], deny = [] }: RunFlags,
): void {
  if (allow.length + deny.length === 0) return
  const after = wordsAfterRules(args)
  const said = words.at(-1) === '-' ? words.slice(0, -1) : words
  if (after.length === 0 || (said.length === 1 && !said.some((word) => NAMED_RULE.test(word)))) return
  const flag = deny.length > 0 ? '--deny' : '--allow'
  throw new PithError(
    'bad-argument',
    `write ${flag} before each rule, and the prompt before them all: pith run "PROMPT" ${flag} 'npm test' ${flag} 'edit: src/**'`,
  )
}

/** The words between a rule and the next flag, of a whole command line. `-` is standard input. */
function wordsAfterRules(args: readonly string[]): readonly string[] {
  const end = args.indexOf('--')
  const flagged = end < 0 ? args : args.slice(0, end)
  return flagged.flatMap((arg, index) => {
    const [, value] = /^--(?:allow|deny)(=|$)/.exec(arg) ?? []
    if (value === undefined) return []
    const after = flagged.slice(index + (value === '=' ? 1 : 2))
    const next = after.findIndex((word) => /^-./.test(word))
    return (next < 0 ? after : after.slice(0, next)).filter((word) => word !== '-')
  })
}

const NAMED_RULE = /^(command|edit|read|tool):\s*(.*)$/s

/** `npm test`, `command: git diff *`, `edit: src/**`: a command where no kind is named. */
function ruleIn(text: string): Rule {
  const [, kind = 'command', pattern = text] = NAMED_RULE.exec(text) ?? []
  const rule = ruleSchema.safeParse({ kind, pattern: pattern.trim() })
  if (!rule.success) throw new PithError('bad-argument', `${text} is not a rule: write one as in 'command: npm test'`)
  return rule.data
}
