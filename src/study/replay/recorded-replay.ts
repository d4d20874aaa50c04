import type { Context } from '../../engine/context/context.ts'
import { extendContext, openContext } from '../../engine/context/open-context.ts'
import { changesView } from '../../engine/context/view/activity.ts'
import type { PolicyPatch } from '../../model/policy/policy.ts'
import { policyOf } from '../../model/policy/presets.ts'
import type { Entry, EntryOf, Usage } from '../../model/types.ts'
import { budgetOf } from '../../tokens/budget.ts'
import { costOf } from '../../tokens/cost.ts'
import type { Sizes } from '../../tokens/sizes.ts'
import { type MeasuredLog, type MeasuredMessage, measureLog } from './measured-log.ts'
import { type Replay, type ReplayInput, replay, replayOf, replayTotals } from './replay.ts'
import { PROMPT_TOKENS, type ReplayedCompaction, type ReplayedRequest, RequestMeter } from './request-meter.ts'

/** A session replayed with the reductions that its own agent made, and how much that differs from the provider's counts. */
export type RecordedReplay = Replay & {
  /** The replay divided by the report, over the requests that have one. Absent if none has, or if the cache is another one. */
  readonly fidelity?: ReplayFidelity
}

/** Replay ÷ report. */
export type ReplayFidelity = {
  readonly requests: number
  readonly inputTokens: number
  readonly cacheReadTokens: number
  /** Everything that was not read from the cache. */
  readonly newTokens: number
  /** The price of the input; in tokens if the prices are not known. */
  readonly inputCost: number
}

/** Replays a session as it was: the same requests on the same basis as every other replay, with its agent's own reductions. */
export function replayRecorded(log: readonly Entry[], input: ReplayInput = {}): RecordedReplay {
  return new RecordedPlayer(log, input).play()
}

/** Only the agent's own compactions take place. */
const RECORDED: PolicyPatch = { mode: 'off', suggestPercent: 0 }

class RecordedPlayer {
  readonly #entries: readonly Entry[]
  readonly #input: ReplayInput
  readonly #meter: RequestMeter
  readonly #messages: ReadonlyMap<number, MeasuredMessage>
  readonly #measured: MeasuredLog
  #context: Context
  /** The tokens that the agent sent outside the view since its last change: files read again, minus what it left out. */
  #aside = 0
  #isChanged = false
  #compacted: ReplayedCompaction | undefined

  constructor(log: readonly Entry[], input: ReplayInput) {
    const measured = input.measured ?? measureLog(log, input.model)
    this.#entries = log
    this.#input = input
    this.#meter = new RequestMeter({ ...input, measured })
    // A result that a repair added has the number of its call.
    const answers = measured.messages.filter(({ message }) => message.role === 'assistant')
    this.#messages = new Map(answers.map((answer) => [answer.seq, answer]))
    this.#measured = measured
    this.#context = openContext([], { policy: RECORDED, estimator: measured.estimator })
  }

  play(): RecordedReplay {
    const requests: ReplayedRequest[] = []
    const reported: { readonly request: ReplayedRequest; readonly usage: Usage }[] = []
    let at = this.#entries[0]?.at ?? 0
    for (const entry of this.#entries) {
      const request = entry.type === 'message' ? this.#request(entry, at) : undefined
      if (request !== undefined) requests.push(request)
      if (request !== undefined && entry.type === 'message' && entry.usage !== undefined)
        reported.push({ request, usage: entry.usage })
      this.#add(entry)
      if (entry.type === 'message') at = entry.at
    }
    const { model, cacheLifetimeMs = this.#measured.cacheLifetimeMs } = this.#input
    const isComparable = reported.length > 0 && cacheLifetimeMs === this.#measured.cacheLifetimeMs
    const { policy } = this.#context
    const played = replayOf(requests, { policy, window: model?.contextWindow }, model?.prices !== undefined)
    return isComparable ? { ...played, fidelity: this.#fidelity(reported) } : played
  }

  #request(entry: EntryOf<'message'>, at: number): ReplayedRequest | undefined {
    const answer = this.#messages.get(entry.seq)
    const { sizes } = this.#context
    if (answer === undefined || answer.isUnasked === true || sizes.items.length === 0) return undefined
    if (this.#isChanged || this.#measured.pruned.has(entry.seq)) this.#measureAside(entry, sizes)
    const compacted = this.#compacted
    this.#compacted = undefined
    return this.#meter.ask({ sizes, answer, at, compacted, asideTokens: this.#aside })
  }

  #measureAside({ usage }: EntryOf<'message'>, sizes: Sizes): void {
    if (usage === undefined) return
    this.#aside = usage.inputTokens - this.#meter.tokens(sizes)
    this.#isChanged = false
  }

  #add(entry: Entry): void {
    const before = this.#context.sizes
    this.#context = extendContext(this.#context, entry)
    if (!changesView(entry)) return
    if (entry.type === 'compaction') this.#compacted = this.#summarized(entry, before)
    else if (entry.type === 'mask') this.#compacted = { rung: 'mask', ...this.#sizes(before) }
    this.#aside = 0
    this.#isChanged = true
  }

  /** The agent's own summary. Agents ask for it after the previous request, and its text is the output. */
  #summarized(entry: EntryOf<'compaction'>, before: Sizes): ReplayedCompaction {
    const sizes = this.#sizes(before)
    const call = entry.usage ?? {
      inputTokens: sizes.tokensBefore + PROMPT_TOKENS,
      outputTokens: this.#measured.estimator.text(entry.summary),
      cacheReadTokens: sizes.tokensBefore,
      cacheWriteTokens: PROMPT_TOKENS,
    }
    return { rung: entry.rung, ...sizes, call, cost: this.#meter.cost(call) }
  }

  #sizes(before: Sizes): { tokensBefore: number; tokensAfter: number } {
    const tokensBefore = this.#meter.tokens(before) + this.#aside
    return { tokensBefore, tokensAfter: this.#meter.tokens(this.#context.sizes) }
  }

  #fidelity(reported: readonly { readonly request: ReplayedRequest; readonly usage: Usage }[]): ReplayFidelity {
    const prices = this.#input.model?.prices ?? { input: 1, output: 0, cacheRead: 0.1 }
    const recorded = reported.map(({ usage }) => ({ ...usage, outputTokens: 0 }))
    const replayed = reported.map(({ request: { input, cacheRead: cacheReadTokens, cacheWrite: cacheWriteTokens } }) =>
      this.#meter.charged({ inputTokens: input, outputTokens: 0, cacheReadTokens, cacheWriteTokens }),
    )
    const ratio = (value: (usage: Usage) => number) => {
      const sum = (usages: readonly Usage[]) => usages.reduce((total, usage) => total + value(usage), 0)
      return sum(recorded) === 0 ? 1 : sum(replayed) / sum(recorded)
    }
    return {
      requests: reported.length,
      inputTokens: ratio(({ inputTokens }) => inputTokens),
      cacheReadTokens: ratio(({ cacheReadTokens = 0 }) => cacheReadTokens),
      newTokens: ratio(({ inputTokens, cacheReadTokens = 0 }) => inputTokens - cacheReadTokens),
      inputCost: ratio((usage) => costOf(usage, prices)),
    }
  }
}

const PERCENTS = [5, 10, 15, 20, 30, 40, 50, 60, 70, 80, 90] as const

/** With a lower trigger a session has no room to work. */
const LEAST_TRIGGER = 24_000

/** The shares of a window that are worth trying as a trigger. */
function triggerPercents(window: number): number[] {
  return PERCENTS.filter((percent) => percent >= 30 || (window * percent) / 100 >= LEAST_TRIGGER)
}

/** A policy with another trigger, and the replay under it. */
export type TriedTrigger = { readonly triggerPercent: number; readonly replay: Replay }

/** Replays a session with one trigger after the other. All other settings come from the policy. */
export async function tryTriggers(
  log: readonly Entry[],
  input: ReplayInput,
  percents: readonly number[] = triggerPercents(input.model?.contextWindow ?? 0),
): Promise<TriedTrigger[]> {
  const measured = input.measured ?? measureLog(log, input.model)
  const tried: TriedTrigger[] = []
  for (const triggerPercent of percents) {
    const policy = { ...input.policy, mode: 'auto' as const, triggerPercent }
    tried.push({ triggerPercent, replay: await replay(log, { ...input, policy, measured }) })
  }
  return tried
}

/**
 * The lowest trigger that may be recommended, in tokens: that of `economy`, the lowest preset of which it was measured what a session
 * keeps, or its share of a small window. A replay knows only prices, and the lowest trigger is often the cheapest.
 */
export function lowestMeasured(window: number | undefined): number {
  const { preset, triggerPercent } = policyOf({ preset: 'economy' })
  const triggers = [{ preset }, { preset, triggerPercent }].map((patch) => budgetOf(policyOf(patch), window).trigger)
  return Math.min(...triggers.map((trigger = 0) => trigger))
}

/** The cheapest one that fits into the window and is not below `lowestMeasured`; of several with the same cost, the one that compacts least. */
export function cheapest(tried: readonly TriedTrigger[]): TriedTrigger | undefined {
  const fitting = tried.filter(({ replay }) => replayTotals(replay).overflowsAt === undefined)
  return fitting
    .filter(({ replay }) => replay.cost !== undefined && (replay.trigger ?? 0) >= lowestMeasured(replay.window))
    .toSorted((a, b) => (a.replay.cost ?? 0) - (b.replay.cost ?? 0) || b.triggerPercent - a.triggerPercent)[0]
}
