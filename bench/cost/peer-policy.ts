import type { Item, Seq, Usage } from '../../src/model/types.ts'

/** When and how a peer reduces what it sends, with its own default numbers and their source. */
export type PeerPolicy = {
  readonly name: string
  readonly trigger: string
  readonly keeps: string
  readonly source: string
  /** It only masks, so a session that is long enough ends at the window. */
  readonly onlyMasks?: true
  /** The reduction before a request; undefined sends the view unchanged. */
  reduce(view: PeerView): Reduction | undefined
}

export type PeerView = {
  readonly items: readonly Item[]
  /** The whole request. */
  readonly tokens: number
  readonly window: number
  readonly fixedTokens: number
  count(items: readonly Item[]): number
}

/** The tool results to mask, and the summary to write. */
export type Reduction = { readonly mask?: readonly Seq[]; readonly summary?: PeerSummary }

export type PeerSummary = {
  /** Everything before it is summarised. */
  readonly cut: number
  /** Texts that are repeated after the summary. */
  readonly keptTexts?: readonly string[]
  call(request: SummaryRequest): Usage
}

export type SummaryRequest = {
  readonly span: readonly Item[]
  /** The size of the request before the compaction, and how much of it is cached. */
  readonly tokens: number
  readonly cachedTokens: number
  count(items: readonly Item[]): number
}
