import type { Seq } from '../../src/model/ids.ts'
import type { Usage } from '../../src/model/provider/model-info.ts'
import type { Item } from '../../src/model/view.ts'

/** When and how a peer reduces what it sends, with its own default numbers, and where these stand. */
export type PeerPolicy = {
  readonly name: string
  readonly trigger: string
  readonly keeps: string
  readonly source: string
  /** It only masks: a session that is long enough ends at the window. */
  readonly onlyMasks?: true
  /** What it does before a request; nothing is sent unchanged. */
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

/** Tool results that are masked, and what is summarised. */
export type Reduction = { readonly mask?: readonly Seq[]; readonly summary?: PeerSummary }

export type PeerSummary = {
  /** Everything before it is summarised. */
  readonly cut: number
  /** What is said again behind the summary. */
  readonly keptTexts?: readonly string[]
  call(request: SummaryRequest): Usage
}

export type SummaryRequest = {
  readonly span: readonly Item[]
  /** The request before the compaction, and what of it is cached. */
  readonly tokens: number
  readonly cachedTokens: number
  count(items: readonly Item[]): number
}
