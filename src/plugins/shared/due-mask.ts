import { type CompactInput, compact } from '../../engine/compact/compact.ts'
import { viewOf } from '../../engine/context/view/view-of.ts'
import { reductionStatus } from '../../engine/report/outcome.ts'
import type { Entry } from '../../model/entry.ts'
import type { Seq } from '../../model/ids.ts'
import { type Message, outputText, resultsOf } from '../../model/message/message.ts'

/** The results to mask in one batch. */
export type DueMask = {
  readonly targets: readonly Seq[]
  readonly nameCharacters?: number
  /** What a status line says of it. */
  readonly status: string
}

/**
 * The batch of old results that the policy would mask now, if it is due and pays. Answers of the model stay as the
 * provider signed them, so large arguments in them are left alone.
 */
export async function dueMask(input: CompactInput): Promise<DueMask | undefined> {
  const result = await compact({
    ...input,
    policy: { ...input.policy, rungs: ['mask'] },
    reason: 'threshold',
  })
  const made = result.entries.find((entry) => entry.type === 'mask')
  if (made?.type !== 'mask') return undefined
  const results = new Set(input.log.flatMap((entry) => (isResult(entry) ? [entry.seq] : [])))
  const targets = made.targets.filter((seq) => results.has(seq))
  const { nameCharacters } = made
  return targets.length === 0
    ? undefined
    : { targets, nameCharacters, status: reductionStatus({ ...result, rung: 'mask' }) }
}

function isResult(entry: CompactInput['log'][number]): boolean {
  return entry.type === 'message' && entry.message.role === 'tool'
}

/** The text in the place of a result that the log masks: asked for by its call and its own text, as some agents reuse ids. */
export type MaskedResults = (toolCallId: string, text: string) => string | undefined

/** What a log shows for the results that it masks. */
export function maskedResults(log: readonly Entry[]): MaskedResults {
  const masked = new Set(log.flatMap((entry) => (entry.type === 'mask' ? entry.targets : [])))
  const said = new Map(log.flatMap((entry) => (entry.type === 'message' ? [[entry.seq, entry.message] as const] : [])))
  const shown = new Map<string, string>()
  for (const { kind, seq, message } of viewOf(log).items.slice()) {
    const original = masked.has(seq) ? said.get(seq) : undefined
    if (kind !== 'message' || original === undefined) continue
    const texts = textsOf(original)
    for (const [id, text] of textsOf(message)) shown.set(keyOf(id, texts.get(id) ?? ''), text)
  }
  return (id, text) => shown.get(keyOf(id, text))
}

function textsOf(message: Message): Map<string, string> {
  return new Map(resultsOf(message).map(({ toolCallId, output }) => [toolCallId, outputText(output)]))
}

function keyOf(id: string, text: string): string {
  return `${id}\n${text}`
}
