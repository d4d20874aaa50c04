import { mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { dataFolder } from '../../config/places/folders.ts'
import { writePrivate } from '../../config/write/write-private.ts'
import { openContext } from '../../engine/context/open-context.ts'
import { appended } from '../../engine/context/view/log.ts'
import { readOpencode } from '../../formats/opencode/read.ts'
import { fields, text, wholeNumber } from '../../formats/shared/json.ts'
import type { PolicyPatch } from '../../model/policy/policy.ts'
import { callsOf, type Entry, type ModelInfo, resultsOf } from '../../model/types.ts'
import { dueMask, type MaskedResults, maskedResults } from '../shared/due-mask.ts'
import type { OpencodeMessage } from './opencode-api.ts'

type MaskDeps = {
  readonly all: () => Promise<readonly OpencodeMessage[]>
  readonly model: Partial<ModelInfo>
  readonly policy: PolicyPatch
}

/** Masks old results in the requests of one session. Each batch is stored, so that every later request is masked in the same way. */
export class SessionMasks {
  readonly #session: string
  #masks: readonly CallMask[]
  #results: MaskedResults | undefined
  #nextTokens = 0

  constructor(session: string) {
    this.#session = session
    this.#masks = readMasks(session)
  }

  /** Changes the messages that are about to be sent. */
  async apply(messages: OpencodeMessage[], deps: MaskDeps): Promise<void> {
    const tokens = tokensOf(messages)
    // The session is read only when a batch may be due.
    const { policy, budget } = openContext([], { policy: deps.policy, model: deps.model })
    const { trigger, growth } = budget
    if (policy.mode === 'auto' && trigger !== undefined && tokens >= Math.max(trigger, this.#nextTokens))
      this.#nextTokens = (await this.#newBatch(deps)) ? 0 : tokens + growth
    if (this.#masks.length === 0) return
    this.#results ??= maskedResults(masked(opencodeLog(await deps.all()), this.#masks))
    for (const message of messages) message.parts = message.parts.map((part) => maskedPart(part, this.#results))
  }

  async #newBatch({ all, model, policy }: MaskDeps): Promise<boolean> {
    const log = masked(opencodeLog(await all()), this.#masks)
    const due = await dueMask({ log, policy, model, clock: Date.now })
    if (due === undefined) return false
    const targets = new Set(due.targets)
    const calls = log.flatMap((entry) =>
      entry.type === 'message' && targets.has(entry.seq) ? resultsOf(entry.message).map((part) => part.toolCallId) : [],
    )
    const { nameCharacters, lineCharacters } = due
    this.#masks = [...this.#masks, { calls, nameCharacters, lineCharacters }]
    this.#results = undefined
    writeMasks(this.#session, this.#masks)
    return true
  }
}

/** The log with the stored batches. */
function masked(log: readonly Entry[], masks: readonly CallMask[]): readonly Entry[] {
  return masks.reduce<readonly Entry[]>((all, { calls, ...characters }) => {
    const targets = log.flatMap((entry) => {
      if (entry.type !== 'message' || callsOf(entry.message).length > 0) return []
      return resultsOf(entry.message).some(({ toolCallId }) => calls.includes(toolCallId)) ? [entry.seq] : []
    })
    return appended(all, [{ type: 'mask', targets, ...characters, tokensBefore: 0, tokensAfter: 0 }])
  }, log)
}

function maskedPart(part: OpencodeMessage['parts'][number], results: MaskedResults | undefined) {
  const state = part.type === 'tool' ? fields(part.state) : undefined
  const output = state?.status === 'completed' ? text(state.output) : undefined
  const shown = output === undefined ? undefined : results?.(String(part.callID ?? part.id), output)
  return shown === undefined ? part : { ...part, state: { ...state, output: shown, attachments: undefined } }
}

/** The provider's token count of the last answer. */
function tokensOf(messages: readonly OpencodeMessage[]): number {
  const counts = messages.map(({ info }) => {
    const tokens = info.role === 'assistant' && info.summary !== true ? fields(info.tokens) : undefined
    const cache = fields(tokens?.cache)
    return [tokens?.input, tokens?.output, cache?.read, cache?.write].reduce<number>(
      (sum, count) => sum + (wholeNumber(count) ?? 0),
      0,
    )
  })
  return counts.findLast((count) => count > 0) ?? 0
}

const maskSchema = z.object({
  calls: z.array(z.string()),
  nameCharacters: z.number().optional(),
  lineCharacters: z.number().optional(),
})
const masksSchema = z.array(maskSchema)

/** A batch of calls whose results are masked. opencode has no field for it in its sessions, so it is stored in Pith's folder. */
type CallMask = z.infer<typeof maskSchema>

/** The batches of a session, the oldest first. */
function readMasks(session: string): readonly CallMask[] {
  try {
    return masksSchema.parse(JSON.parse(readFileSync(fileOf(session), 'utf8')))
  } catch {
    return []
  }
}

function writeMasks(session: string, masks: readonly CallMask[]): void {
  mkdirSync(folder(), { recursive: true, mode: 0o700 })
  writePrivate(fileOf(session), `${JSON.stringify(masks)}\n`)
}

function fileOf(session: string): string {
  return join(folder(), `${session.replaceAll(/[^\w-]/g, '_')}.json`)
}

function folder(): string {
  return join(dataFolder(), 'plugins', 'opencode')
}

/** The log of a session of opencode. Its numbers are the same as when Pith reads opencode's database. */
export function opencodeLog(messages: readonly OpencodeMessage[]): readonly Entry[] {
  return readOpencode.document?.({ messages }).log.entries ?? []
}

/** The messages up to one of them; all messages if it is not among them. */
export function messagesUpTo(messages: readonly OpencodeMessage[], id: unknown): readonly OpencodeMessage[] {
  const at = messages.findIndex(({ info }) => info.id === id)
  return at === -1 ? messages : messages.slice(0, at + 1)
}
