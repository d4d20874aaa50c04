import { z } from 'zod'
import { costText, count, counted } from '../../engine/report/numbers.ts'
import type { Usage } from '../../model/types.ts'
import type { CacheMiss } from './cache-misses.ts'

const missSchema = z.object({ at: z.number(), tokens: z.number(), guess: z.string(), reported: z.string().optional() })

const totalsSchema = z.object({
  requests: z.number(),
  compactions: z.number(),
  /** Summaries that failed at first, by the try that gave one; `log` if none did. */
  summaryTries: z.record(z.string(), z.number()).default({}),
  inputTokens: z.number(),
  cachedTokens: z.number(),
  outputTokens: z.number(),
  /** In US dollars, of the calls that have a price. */
  cost: z.number(),
  calls: z.number(),
  /** Calls without a known price, or paid by a subscription. */
  unpriced: z.number(),
  misses: z.number(),
  missedTokens: z.number(),
  /** The last misses, each with its reasons. */
  lastMisses: z.array(missSchema),
  /** Models whose requests could not be shortened in time. */
  unknownWindows: z.array(z.string()),
})

/** The cost of requests, added up. It has no text of a conversation. */
export type Totals = z.infer<typeof totalsSchema>

export const billSchema = z.object({ days: z.record(z.string(), z.record(z.string(), totalsSchema)) })

/** The totals of a gateway by day (`2026-11-18`) and agent. */
export type Bill = z.infer<typeof billSchema>

/** One request for the bill. */
export type Charge = {
  readonly at: number
  readonly agent: string
  /** 0 for a call of our own, which belongs to a request of the client's. */
  readonly requests: 0 | 1
  /** The calls that the provider bills: the client's own request, and those for a summary. Without a price: tokens only. */
  readonly calls: readonly { readonly usage: Usage; readonly cost?: number }[]
  readonly compactions: number
  /** At which try the summary of its compaction was written, or that it failed and the record was made from the log. */
  readonly summaryTry?: SummaryTry
  readonly miss?: CacheMiss
  /** The model of a request that could not be shortened in time, because its window is not known. */
  readonly unknownWindow?: string
}

/** How a summary by a model ended: the number of the try that gave one, or `log` if the record had to be made from the log. */
export type SummaryTry = number | 'log'

const MOST_DAYS = 31
const MOST_AGENTS = 20
const MOST_MISSES = 20
const MOST_WINDOWS = 5

const NOTHING: Totals = {
  requests: 0,
  compactions: 0,
  summaryTries: {},
  inputTokens: 0,
  cachedTokens: 0,
  outputTokens: 0,
  cost: 0,
  calls: 0,
  unpriced: 0,
  misses: 0,
  missedTokens: 0,
  lastMisses: [],
  unknownWindows: [],
}

/** The bill with one more request. Old days are dropped, and agents beyond a few are added up as `others`. */
export function withCharge({ days }: Bill, charge: Charge): Bill {
  const day = new Date(charge.at).toISOString().slice(0, 10)
  const agents = days[day] ?? {}
  const isNamed = Object.hasOwn(agents, charge.agent) || Object.keys(agents).length < MOST_AGENTS
  const agent = isNamed ? charge.agent : 'others'
  const changed = { ...days, [day]: { ...agents, [agent]: added(agents[agent] ?? NOTHING, totalsOf(charge)) } }
  const kept = Object.keys(changed).toSorted().slice(-MOST_DAYS)
  return { days: Object.fromEntries(kept.map((name) => [name, changed[name] ?? {}])) }
}

function totalsOf({ at, requests, calls, compactions, summaryTry = 1, miss, unknownWindow }: Charge): Totals {
  const sum = (part: (usage: Usage) => number | undefined) =>
    calls.reduce((total, { usage }) => total + (part(usage) ?? 0), 0)
  return {
    requests,
    compactions,
    summaryTries: summaryTry === 1 ? {} : { [summaryTry]: 1 },
    inputTokens: sum((usage) => usage.inputTokens),
    cachedTokens: sum((usage) => usage.cacheReadTokens),
    outputTokens: sum((usage) => usage.outputTokens),
    cost: calls.reduce((total, { cost }) => total + (cost ?? 0), 0),
    calls: calls.length,
    unpriced: calls.filter(({ cost }) => cost === undefined).length,
    misses: miss === undefined ? 0 : 1,
    missedTokens: miss?.tokens ?? 0,
    lastMisses: miss === undefined ? [] : [{ at, ...miss }],
    unknownWindows: unknownWindow === undefined ? [] : [unknownWindow],
  }
}

function added(a: Totals, b: Totals): Totals {
  return {
    requests: a.requests + b.requests,
    compactions: a.compactions + b.compactions,
    summaryTries: addedCounts(a.summaryTries, b.summaryTries),
    inputTokens: a.inputTokens + b.inputTokens,
    cachedTokens: a.cachedTokens + b.cachedTokens,
    outputTokens: a.outputTokens + b.outputTokens,
    cost: a.cost + b.cost,
    calls: a.calls + b.calls,
    unpriced: a.unpriced + b.unpriced,
    misses: a.misses + b.misses,
    missedTokens: a.missedTokens + b.missedTokens,
    lastMisses: [...a.lastMisses, ...b.lastMisses].toSorted((x, y) => x.at - y.at).slice(-MOST_MISSES),
    unknownWindows: [...new Set([...a.unknownWindows, ...b.unknownWindows])].slice(0, MOST_WINDOWS),
  }
}

function addedCounts(a: Totals['summaryTries'], b: Totals['summaryTries']): Totals['summaryTries'] {
  const names = Object.keys({ ...a, ...b })
  return Object.fromEntries(names.map((name) => [name, (a[name] ?? 0) + (b[name] ?? 0)]))
}

/** Several bills as one. */
export function joinedBills(bills: readonly Bill[]): Bill {
  const days: Record<string, Record<string, Totals>> = {}
  for (const bill of bills)
    for (const [day, agents] of Object.entries(bill.days))
      for (const [agent, totals] of Object.entries(agents)) {
        days[day] ??= {}
        days[day][agent] = added(days[day][agent] ?? NOTHING, totals)
      }
  return { days }
}

/** All of a bill together. */
export function billTotals({ days }: Bill): Totals {
  return Object.values(days)
    .flatMap(Object.values<Totals>)
    .reduce(added, NOTHING)
}

/** The bill of a run in one line: `12 requests, 1 compaction, 84,000 tokens (71,000 cached) and 2,100 of answers, $0.42, …`. */
export function billText(totals: Totals): string {
  const { requests, compactions, inputTokens, cachedTokens, outputTokens, misses, missedTokens, unknownWindows } =
    totals
  const last = totals.lastMisses.at(-1)
  return [
    counted(requests, 'request'),
    `${counted(compactions, 'compaction')}${triesText(totals)}`,
    `${count(inputTokens)} tokens (${count(cachedTokens)} cached) and ${count(outputTokens)} of answers`,
    ...(priceText(totals) === '' ? [] : [priceText(totals)]),
    misses === 1 ? '1 cache miss' : `${count(misses)} cache misses`,
    ...(last === undefined ? [] : [`${count(missedTokens)} tokens missed (the last time: ${missText(last)})`]),
    ...unknownWindows.map((name) => `not shortened in time, because the window of ${name} is not known`),
  ].join(', ')
}

/** ` (1 summary at try 2, 1 record from the log)`: the summaries that failed at first. Empty if none did. */
function triesText({ summaryTries: { log = 0, ...tries } }: Totals): string {
  const written = Object.entries(tries).map(([name, times]) => `${summaries(times)} at try ${name}`)
  const all = [...written, ...(log === 0 ? [] : [`${counted(log, 'record')} from the log`])]
  return all.length === 0 ? '' : ` (${all.join(', ')})`
}

function summaries(times: number): string {
  return times === 1 ? '1 summary' : `${count(times)} summaries`
}

/** The money; empty if no call has a known price. */
export function priceText({ calls, cost, unpriced }: Totals): string {
  return calls === unpriced ? '' : costText(unpriced === 0 ? cost : undefined, { known: cost })
}

/** The reasons of a miss: our own guess, and what the provider says. */
function missText({ guess, reported }: Pick<CacheMiss, 'guess' | 'reported'>): string {
  return reported === undefined ? guess : `${guess}; the provider says ${reported}`
}
