import { openContext } from '../../engine/context/open-context.ts'
import { MASK_ENTRY, maskIn, type PiMask } from '../../formats/pi/mask-entry.ts'
import { piMessage, readPiBranch } from '../../formats/pi/read.ts'
import { outputText, resultsOf } from '../../model/types.ts'
import { dueMask, type MaskedResults, maskedResults } from '../shared/due-mask.ts'
import { pluginPolicy } from '../shared/plugin-policy.ts'
import { type PiApi, type PiContext, type PiContextEvent, type PiMessage, STATUS_KEY } from './pi-api.ts'
import { fixedOf, modelInfoOf } from './pi-model.ts'

/** Masks old results in the messages that pi is about to send. Each batch is stored in the session, so that every later request is masked in the same way. */
export class ContextMasks {
  readonly #pi: PiApi
  /** The number of tokens at which we look for a batch again, after none was worth its price. */
  #nextTokens = 0
  /** The masked results as of the last stored batch, and the id of its entry. */
  #shown: { readonly id: unknown; readonly results: MaskedResults } | undefined

  constructor(pi: PiApi) {
    this.#pi = pi
  }

  /** The messages as they are sent; undefined when nothing is masked. */
  async apply({ messages }: PiContextEvent, context: PiContext): Promise<PiContextEvent | undefined> {
    const isDue = (context.getContextUsage()?.tokens ?? 0) >= this.#nextTokens
    const made = isDue ? await this.#newBatch(context) : undefined
    if (made !== undefined) {
      this.#pi.appendEntry(MASK_ENTRY, made.mask)
      if (context.hasUI) context.ui.setStatus(STATUS_KEY, made.status)
    }
    const results = this.#resultsOf(context)
    if (results === undefined) return undefined
    return { messages: messages.map((message) => masked(message, results)) }
  }

  async #newBatch(context: PiContext): Promise<{ mask: PiMask; status: string } | undefined> {
    const tokens = context.getContextUsage()?.tokens ?? 0
    const model = context.model && modelInfoOf(context.model)
    const settings = { policy: pluginPolicy(context.cwd), model, fixed: fixedOf(context, this.#pi) }
    // The branch is read only when a batch may be due.
    const { policy, budget } = openContext([], settings)
    const { trigger, growth } = budget
    if (policy.mode !== 'auto' || trigger === undefined || tokens < trigger) {
      this.#nextTokens = trigger ?? Number.POSITIVE_INFINITY
      return undefined
    }
    const { log, seqs } = readPiBranch(context.sessionManager.getBranch())
    const due = await dueMask({ log, ...settings, clock: Date.now })
    this.#nextTokens = due === undefined ? tokens + growth : 0
    if (due === undefined) return undefined
    const { targets, nameCharacters, lineCharacters, status } = due
    const ids = [...seqs].flatMap(([id, seq]) => (targets.includes(seq) ? [id] : []))
    return { mask: { targets: ids, nameCharacters, lineCharacters }, status }
  }

  /** Call this when the model or the conversation has changed. */
  reset(): void {
    this.#nextTokens = 0
  }

  /** Reads the branch again only when a batch was added or removed, because handles do not change. */
  #resultsOf({ sessionManager }: PiContext): MaskedResults | undefined {
    const branch = sessionManager.getBranch()
    const last = branch.findLast((entry) => maskIn(entry) !== undefined)
    if (last === undefined) return undefined
    if (this.#shown !== undefined && this.#shown.id === last.id) return this.#shown.results
    const results = maskedResults(readPiBranch(branch).log)
    this.#shown = { id: last.id, results }
    return results
  }
}

function masked(message: PiMessage, results: MaskedResults): PiMessage {
  if (message.role !== 'toolResult') return message
  const own = piMessage(message)
  const [result] = own === undefined ? [] : resultsOf(own)
  const text = result && results(result.toolCallId, outputText(result.output))
  return text === undefined ? message : { ...message, content: [{ type: 'text', text }] }
}
