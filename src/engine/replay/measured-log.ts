import type { Entry } from '../../model/entry.ts'
import type { Fixed } from '../../model/fixed.ts'
import type { Seq } from '../../model/ids.ts'
import type { Message } from '../../model/message.ts'
import type { ModelInfo } from '../../model/model-info.ts'
import { PRESETS } from '../../model/presets.ts'
import { type Estimator, fixedTokens, messageTokens } from '../../tokens/estimate/estimator.ts'
import { estimatorOf } from '../measure/estimator-of.ts'
import { appended } from '../view/log.ts'
import { repairDraft } from '../view/repair.ts'
import { changesView, viewOf } from '../view/view-of.ts'

/** A message as it was said. */
export type MeasuredMessage = {
  readonly seq: Seq
  readonly at: number
  readonly message: Message
  /** The output tokens that the provider reported. */
  readonly outputTokens?: number
}

/** The messages of a session with their sizes, without its own compactions, so that every policy starts from the same. */
export type MeasuredLog = {
  readonly messages: readonly MeasuredMessage[]
  /** Counts like the session's model, and `fixed` as so many tokens as system prompt and tools have. */
  readonly estimator: Estimator
  readonly fixed: Fixed
  readonly fixedTokens: number
}

/** Stands for a system prompt that nobody has seen: the estimator knows what it weighs. */
const UNSEEN = '\u0000what is sent around the view'

/** Measures a log once, for any number of replays. `fixed` is what is known of what was sent around the view. */
export function measureLog(log: readonly Entry[], model: Partial<ModelInfo> = {}, fixed: Fixed = {}): MeasuredLog {
  const counted = estimatorOf(PRESETS.pith, log, model)
  const known = Object.values(fixedTokens(fixed, counted)).reduce((sum, tokens) => sum + tokens, 0)
  const around = reportedAround(log, counted) ?? known
  return {
    messages: saidMessages(log),
    estimator: { name: counted.name, text: (text) => (text === UNSEEN ? around : counted.text(text)) },
    fixed: { system: UNSEEN },
    fixedTokens: around,
  }
}

/** All messages in order, those that a summary replaced too, and every call with a result: else nothing could be cut behind it. */
function saidMessages(log: readonly Entry[]): MeasuredMessage[] {
  const said = log.flatMap((entry) => (entry.type === 'message' ? [entry] : []))
  const entries = new Map(said.map((entry) => [entry.seq, entry]))
  const stored = viewOf(said)
  const repair = repairDraft(stored.items.slice())
  const view = repair === undefined ? stored : viewOf(appended(said, [repair]))
  let at = said[0]?.at ?? 0
  return view.items.slice().map(({ seq, message }) => {
    const entry = entries.get(seq)
    at = entry?.at ?? at
    const outputTokens = entry?.usage?.outputTokens
    return { seq, at, message, outputTokens }
  })
}

/** The tokens of the first request beyond its messages, by the provider's count. */
function reportedAround(log: readonly Entry[], estimator: Estimator): number | undefined {
  let said = 0
  for (const entry of log) {
    if (changesView(entry)) return undefined
    if (entry.type !== 'message') continue
    const { usage } = entry
    if (usage !== undefined && usage.inputTokens > 0) return Math.max(0, usage.inputTokens - said)
    said += messageTokens(entry.message, estimator)
  }
  return undefined
}
