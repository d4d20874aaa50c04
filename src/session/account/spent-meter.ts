import { setImmediate as nextTurn } from 'node:timers/promises'
import { typedIn, untypedIn } from '../../engine/extract/text/typed-words.ts'
import { calledName, type ToolReport, toolReport } from '../../engine/report/tool-report.ts'
import {
  callsOf,
  type Entry,
  type EntryOf,
  type Prices,
  type Seq,
  type ToolSize,
  type Usage,
} from '../../model/types.ts'
import { modelNamed, type Registry } from '../../models/registry.ts'
import type { SessionId, Store } from '../../store/store.ts'
import { compactionCost, costOf } from '../../tokens/cost.ts'

/** The tokens and the cost, in US dollars, of all model calls of a session. */
export type SessionSpending = {
  readonly calls: number
  readonly inputTokens: number
  readonly cacheReadTokens: number
  readonly outputTokens: number
  readonly compactions: number
  /** Absent when the price of a call is not known. */
  readonly cost?: number
  /** The cost of the calls whose price is known. */
  readonly knownCost?: number
  /** The part of compactions; absent when the price of one is not known. */
  readonly compactionCost?: number
  /** The part of sub-agents: the calls, and the cost of those whose price is known. Absent if there were none. */
  readonly tasks?: { readonly calls: number; readonly knownCost: number }
}

/** The calls of a turn. */
export type TurnSpending = {
  /** The user's message that begins it. */
  readonly seq: Seq
  readonly calls: number
  readonly inputTokens: number
  readonly outputTokens: number
  /** Absent when the price of a call is not known, or no answer has a token count. */
  readonly cost?: number
}

/** How many entries are read at once. SQLite reads synchronously, so everything else waits meanwhile. */
const PAGE = 50

/** Adds up the cost of a session's calls, from its whole log. */
export class SpentMeter {
  readonly #registry: Registry
  readonly #spent = { calls: 0, inputTokens: 0, cacheReadTokens: 0, outputTokens: 0, compactions: 0 }
  #cost: number | undefined = 0
  #knownCost = 0
  #compactionCost: number | undefined = 0
  #tasks = { calls: 0, knownCost: 0 }
  readonly #turns: CountedTurn[] = []
  readonly #toolCalls = new Map<string, number>()
  #tools: readonly ToolSize[] | undefined
  #upTo = 0
  #isCaughtUp = false

  constructor(registry: Registry) {
    this.#registry = registry
  }

  /** Reads the entries that the log has by now. */
  async read(store: Store, id: SessionId): Promise<void> {
    for (;;) {
      const { entries, bad } = await store.entries(id, { from: this.#upTo + 1, limit: PAGE, light: true })
      for (const entry of entries) this.#take(entry)
      this.#upTo = Math.max(this.#upTo, bad.at(-1)?.seq ?? 0)
      if (entries.length + bad.length < PAGE) break
      await nextTurn()
    }
    this.#isCaughtUp = true
  }

  /** Adds a new entry. Before the log is read, it is ignored: the reading will find it. */
  add(entry: Entry): void {
    if (this.#isCaughtUp) this.#take(entry)
  }

  #take(entry: Entry): void {
    if (entry.seq <= this.#upTo) return
    this.#upTo = entry.seq
    if (entry.type === 'message') this.#addMessage(entry)
    if (entry.type === 'settings') this.#tools = entry.tools ?? this.#tools
    if ((entry.type === 'message' || entry.type === 'void') && entry.usage !== undefined)
      this.#addCall(entry.usage, entry.model, entry.type === 'void' && entry.task !== undefined)
    if (entry.type !== 'compaction' && entry.type !== 'attempt') return
    const cost = compactionCost(entry)
    this.#addCost(cost)
    this.#compactionCost = sum(this.#compactionCost, cost)
    if (entry.type === 'compaction') this.#spent.compactions++
  }

  get report(): SessionSpending {
    const tasks = this.#tasks.calls === 0 ? {} : { tasks: this.#tasks }
    return {
      ...this.#spent,
      cost: this.#cost,
      knownCost: this.#knownCost,
      compactionCost: this.#compactionCost,
      ...tasks,
    }
  }

  /** The definitions of tools in each request. `own` are those of an agent whose tools the log does not have. */
  tools(own: readonly ToolSize[] | undefined, prices: Prices | undefined): ToolReport | undefined {
    return toolReport(this.#tools ?? own, { calls: this.#toolCalls, prices })
  }

  /** The last turns, in the order of the log. If no answer of a turn has a token count, its cost is not known. */
  turns(most: number): TurnSpending[] {
    const last = most === 0 ? [] : this.#turns.slice(-most)
    return last.map(({ answers, cost, ...turn }) => ({
      ...turn,
      ...(turn.calls === 0 && answers > 0 ? {} : { cost }),
    }))
  }

  #addCost(cost: number | undefined): void {
    this.#cost = sum(this.#cost, cost)
    this.#knownCost += cost ?? 0
  }

  #addMessage(entry: EntryOf<'message'>): void {
    const { seq, message } = entry
    for (const call of callsOf(message)) {
      const name = calledName(call)
      this.#toolCalls.set(name, (this.#toolCalls.get(name) ?? 0) + 1)
    }
    const beginsTurn = typedIn(entry) !== '' || untypedIn(entry) !== ''
    if (beginsTurn || this.#turns.length === 0)
      this.#turns.push({ seq, calls: 0, inputTokens: 0, outputTokens: 0, cost: 0, answers: 0 })
    const turn = this.#turns.at(-1)
    if (message.role === 'assistant' && turn !== undefined) turn.answers++
  }

  #addCall(usage: Usage, model: string | undefined, isTask: boolean): void {
    const { prices } = modelNamed(this.#registry, model)
    const cost = prices && costOf(usage, prices)
    if (isTask) this.#tasks = { calls: this.#tasks.calls + 1, knownCost: this.#tasks.knownCost + (cost ?? 0) }
    this.#addCost(cost)
    this.#spent.cacheReadTokens += usage.cacheReadTokens ?? 0
    const turn = this.#turns.at(-1)
    if (turn !== undefined) turn.cost = sum(turn.cost, cost)
    for (const counted of turn === undefined ? [this.#spent] : [this.#spent, turn]) {
      counted.calls++
      counted.inputTokens += usage.inputTokens
      counted.outputTokens += usage.outputTokens
    }
  }
}

/** A turn while it is counted, with the number of its answers. */
type CountedTurn = { -readonly [K in keyof TurnSpending]: TurnSpending[K] } & { answers: number }

/** The sum; undefined if one of them is unknown. */
function sum(a: number | undefined, b: number | undefined): number | undefined {
  return a === undefined || b === undefined ? undefined : a + b
}
