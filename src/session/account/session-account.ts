import { activeCompactions, type EntryMark } from '../../engine/context/view/activity.ts'
import { toolFacts } from '../../engine/extract/calls/tool-facts.ts'
import { isWholePath } from '../../engine/extract/current-files.ts'
import {
  callsOf,
  type Entry,
  type EntryOf,
  jsonText,
  type Message,
  outputText,
  type Prices,
  resultsOf,
  type Seq,
  type ToolCallPart,
  type Usage,
} from '../../model/types.ts'
import { compactionCost, costOf } from '../../tokens/cost.ts'
import { featureEstimator } from '../../tokens/estimate/feature-estimator.ts'

/** Tokens as providers reported them, and US dollars. */
export type Spending = {
  calls: number
  inputTokens: number
  cacheReadTokens: number
  outputTokens: number
  cost: number
  /** Calls whose price is not known: their cost is missing. */
  unpriced: number
}

/** The share of a tool or a file: the tokens that it brought into the context, and the cost of sending them. Both are estimates. */
export type AccountShare = { calls: number; tokens: number; cost: number }

/** An account as JSON. The same version of Pith writes and reads it. */
export type AccountData = {
  upTo: Seq
  agent?: string
  model?: string
  /** Without those that were undone. */
  compactions: number
  /** Compactions and undos, to find the compactions that are not undone. */
  changes: EntryMark[]
  spent: Spending
  /** By the day of the calls, in UTC: `2026-11-16`. */
  days: [day: string, Spending][]
  tools: [tool: string, AccountShare][]
  files: [path: string, AccountShare][]
  problems: CompactionProblem[]
  /** The cost of one token in the context until now, over all requests. */
  perToken: number
  /** Calls and results that the model still sees, and `perToken` as it was when they came. */
  shown: ShownResult[]
  /** Calls that wait for their result. */
  open: [toolCallId: string, tool: string, file: string | null][]
}

type ShownResult = [seq: Seq, tool: string, file: string | null, tokens: number, since: number]

export type AccountOptions = {
  readonly pricesOf: (model: string) => Prices | undefined
  /** The folder of relative paths. */
  readonly folder: string
}

const MOST_PROBLEMS = 20
/** How many files are kept of a session, the largest ones. There may be twice as many until the list is cut. */
const MOST_FILES = 200
/** Calls that are never answered would fill the list. */
const MOST_OPEN = 500

/**
 * The spending of a session, by day, tool and file, and its compactions that went wrong. It is a fold over the log that can stop
 * at any entry and continue later. The cost of a request is divided among all its tokens: a result pays its share in every request
 * until it is compacted or masked.
 */
export class SessionAccount {
  readonly #options: AccountOptions
  /** Its days, tools and files are in the maps below. */
  readonly #data: AccountData
  readonly #days: Map<string, Spending>
  readonly #tools: Map<string, AccountShare>
  #files: Map<string, AccountShare>
  #shownTokens: number

  constructor(options: AccountOptions, known: AccountData = emptyAccount()) {
    this.#options = options
    this.#data = known
    this.#days = new Map(known.days)
    this.#tools = new Map(known.tools)
    this.#files = new Map(known.files)
    this.#shownTokens = tokensOf(known.shown)
  }

  get upTo(): Seq {
    return this.#data.upTo
  }

  /** Adds the next entry of the log; one that is known already changes nothing. */
  take(entry: Entry): void {
    const data = this.#data
    if (entry.seq <= data.upTo) return
    data.upTo = entry.seq
    const problem = problemIn(entry)
    if (problem !== undefined) data.problems = withProblem(data.problems, problem)
    switch (entry.type) {
      case 'message':
        data.model = entry.model ?? data.model
        if (entry.usage !== undefined) this.#addCall(entry.at, entry.usage, entry.model)
        this.#addMessage(entry.seq, entry.message)
        break
      case 'void':
        this.#addCall(entry.at, entry.usage, entry.model)
        break
      case 'settings':
        data.model = entry.model ?? entry.origin?.model ?? data.model
        data.agent = entry.origin?.agent ?? data.agent
        break
      case 'compaction':
        this.#addCompaction(entry)
        break
      case 'undo':
        this.#addChange({ type: 'undo', seq: entry.seq, of: entry.of })
        break
      case 'attempt':
        this.#addOwnCost(entry)
        break
      case 'mask':
        this.#hide(new Set(entry.targets))
        break
      case 'leave-out':
        if (entry.waits !== true) this.#hideRanges(entry.targets)
        break
    }
  }

  /** Skips an entry that cannot be read. */
  pass(seq: Seq): void {
    this.#data.upTo = Math.max(this.#data.upTo, seq)
  }

  /** The current account, with the cost of the results that the model still sees. The account can continue. */
  data(): AccountData {
    const { tools, files } = this.#withShown()
    return { ...this.#data, days: [...this.#days], tools: [...tools], files: [...files] }
  }

  /** The state to store, so that the account can continue after a restart. */
  kept(): AccountData {
    return { ...this.#data, days: [...this.#days], tools: [...this.#tools], files: [...this.#files] }
  }

  #addCall(at: number, usage: Usage, model: string | undefined): void {
    const prices = model === undefined ? undefined : this.#options.pricesOf(model)
    const cost = prices && costOf(usage, prices)
    this.#spend(at, usage, cost)
    if (prices === undefined) return
    const all = Math.max(usage.inputTokens, this.#shownTokens)
    if (all > 0) this.#data.perToken += costOf({ ...usage, outputTokens: 0 }, prices) / all
  }

  #spend(at: number, usage: Usage | undefined, cost: number | undefined): void {
    const day = new Date(at).toISOString().slice(0, 'YYYY-MM-DD'.length)
    const ofDay = this.#days.get(day) ?? noSpending()
    this.#days.set(day, ofDay)
    for (const sum of [this.#data.spent, ofDay]) {
      sum.calls += usage === undefined ? 0 : 1
      sum.inputTokens += usage?.inputTokens ?? 0
      sum.cacheReadTokens += usage?.cacheReadTokens ?? 0
      sum.outputTokens += usage?.outputTokens ?? 0
      sum.cost += cost ?? 0
      sum.unpriced += cost === undefined ? 1 : 0
    }
  }

  #addMessage(seq: Seq, message: Message): void {
    const { open } = this.#data
    for (const call of callsOf(message)) {
      const file = fileOfCall(call, this.#options.folder) ?? null
      open.push([call.toolCallId, call.toolName, file])
      this.#show(seq, call.toolName, file, featureEstimator.text(jsonText(call.input)), 1)
    }
    if (open.length > MOST_OPEN) open.splice(0, open.length - MOST_OPEN)
    for (const result of resultsOf(message)) {
      const at = open.findIndex(([id]) => id === result.toolCallId)
      const [, tool, file] = (at < 0 ? undefined : open.splice(at, 1)[0]) ?? ['', result.toolName, null]
      this.#show(seq, tool, file, featureEstimator.text(outputText(result.output)), 0)
    }
  }

  #show(seq: Seq, tool: string, file: string | null, tokens: number, calls: number): void {
    this.#data.shown.push([seq, tool, file, tokens, this.#data.perToken])
    this.#shownTokens += tokens
    const sums = [shareIn(this.#tools, tool), ...(file === null ? [] : [shareIn(this.#files, file)])]
    for (const sum of sums) {
      sum.calls += calls
      sum.tokens += tokens
    }
    if (this.#files.size > 2 * MOST_FILES) this.#files = largest(this.#files)
  }

  #addCompaction(entry: EntryOf<'compaction'>): void {
    this.#addChange({ type: 'compaction', seq: entry.seq })
    this.#addOwnCost(entry)
    const kept = new Set(entry.keep)
    this.#hideRanges([entry], (seq) => kept.has(seq))
  }

  #hideRanges(ranges: readonly { from: Seq; upTo: Seq }[], stays: (seq: Seq) => boolean = () => false): void {
    const isGone = (seq: Seq) => ranges.some(({ from, upTo }) => from <= seq && seq <= upTo) && !stays(seq)
    this.#hide(new Set(this.#data.shown.flatMap(([seq]) => (isGone(seq) ? [seq] : []))))
  }

  #addChange(change: EntryMark): void {
    const { changes } = this.#data
    changes.push(change)
    this.#data.compactions = activeCompactions(changes)
  }

  /** The cost of a compaction, or of an attempt at one. */
  #addOwnCost(entry: EntryOf<'compaction' | 'attempt'>): void {
    const cost = compactionCost(entry)
    if (cost !== 0) this.#spend(entry.at, undefined, cost)
  }

  /** The model does not see these entries any more: their cost is final. */
  #hide(seqs: ReadonlySet<Seq>): void {
    const [gone, stay] = [[] as ShownResult[], [] as ShownResult[]]
    for (const shown of this.#data.shown) (seqs.has(shown[0]) ? gone : stay).push(shown)
    this.#charge(gone, this.#tools, this.#files)
    this.#data.shown = stay
    this.#shownTokens = tokensOf(stay)
  }

  #charge(shown: readonly ShownResult[], tools: Map<string, AccountShare>, files: Map<string, AccountShare>): void {
    for (const [, tool, file, tokens, since] of shown) {
      const cost = tokens * (this.#data.perToken - since)
      shareIn(tools, tool).cost += cost
      const ofFile = file === null ? undefined : files.get(file)
      if (ofFile !== undefined) ofFile.cost += cost
    }
  }

  #withShown() {
    const [tools, files] = [copyOf(this.#tools), copyOf(this.#files)]
    this.#charge(this.#data.shown, tools, files)
    return { tools, files }
  }
}

/** A failed summary and the compaction that fell back because of it are one problem. */
function withProblem(all: readonly CompactionProblem[], problem: CompactionProblem): CompactionProblem[] {
  const last = all.at(-1)
  const isSame = problem.kind === 'fell-back' && last?.kind === 'failed' && last.reason === problem.reason
  return [...(isSame ? all.slice(0, -1) : all), problem].slice(-MOST_PROBLEMS)
}

function tokensOf(shown: readonly ShownResult[]): number {
  return shown.reduce((sum, [, , , tokens]) => sum + tokens, 0)
}

function emptyAccount(): AccountData {
  const lists = { changes: [], days: [], tools: [], files: [], problems: [], shown: [], open: [] }
  return { upTo: 0, compactions: 0, spent: noSpending(), perToken: 0, ...lists }
}

/** Nothing spent yet. */
export function noSpending(): Spending {
  return { calls: 0, inputTokens: 0, cacheReadTokens: 0, outputTokens: 0, cost: 0, unpriced: 0 }
}

function shareIn(shares: Map<string, AccountShare>, name: string): AccountShare {
  const share = shares.get(name) ?? { calls: 0, tokens: 0, cost: 0 }
  shares.set(name, share)
  return share
}

function copyOf(shares: ReadonlyMap<string, AccountShare>): Map<string, AccountShare> {
  return new Map([...shares].map(([name, share]) => [name, { ...share }]))
}

function largest(shares: ReadonlyMap<string, AccountShare>): Map<string, AccountShare> {
  return new Map([...shares].toSorted(([, a], [, b]) => b.tokens - a.tokens).slice(0, MOST_FILES))
}

/**
 * A compaction that went wrong. `failed`: an attempt made no record. `fell-back`: no summary of a model was accepted, so a rung below
 * made the record. `not-taken`: it was made and could not be committed.
 */
type CompactionProblem = {
  readonly seq: Seq
  readonly at: number
  readonly kind: 'failed' | 'fell-back' | 'not-taken'
  readonly reason: string
}

const CHARACTERS = 300

/** The problem that an entry reports, if any. A compaction that the user cancelled is not a problem. */
export function problemIn(entry: Entry): CompactionProblem | undefined {
  const { seq, at } = entry
  if (entry.type === 'compaction' && entry.refusal !== undefined)
    return { seq, at, kind: 'fell-back', reason: entry.refusal.slice(0, CHARACTERS) }
  if (entry.type !== 'attempt' || entry.outcome === 'cancelled') return undefined
  const kind = entry.outcome === 'failed' ? 'failed' : 'not-taken'
  return { seq, at, kind, reason: entry.reason.slice(0, CHARACTERS) }
}

/** The file that a call reads or writes, with its whole path if the folder is known; undefined for a call about several files or none. */
export function fileOfCall(call: ToolCallPart, folder: string): string | undefined {
  const paths = new Set(
    toolFacts(call).flatMap((fact) =>
      (fact.kind === 'read' || fact.kind === 'modified') && fact.via !== 'search' && fact.via !== 'list'
        ? [fact.path]
        : [],
    ),
  )
  const [path] = paths
  if (path === undefined || paths.size > 1) return undefined
  return isWholePath(path) || folder === '' ? path : `${folder.replace(/[\\/]$/, '')}/${path.replace(/^\.\//, '')}`
}
