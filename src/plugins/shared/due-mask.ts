import { type CompactInput, compact } from '../../engine/compact/compact.ts'
import { viewOf } from '../../engine/context/view/view-of.ts'
import { reductionStatus } from '../../engine/report/outcome.ts'
import { type Entry, type Message, outputText, resultsOf, type Seq } from '../../model/types.ts'

/** The results to mask in one batch. */
type DueMask = {
  readonly targets: readonly Seq[]
  readonly nameCharacters?: number
  readonly lineCharacters?: number
  /** The text for a status line. */
  readonly status: string
}

/**
 * The batch of old results that the policy would mask now, if it is due and saves enough. Providers sign the answers of a
 * model, so large arguments in answers are not masked.
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
  const { nameCharacters, lineCharacters } = made
  return targets.length === 0
    ? undefined
    : { targets, nameCharacters, lineCharacters, status: reductionStatus({ ...result, rung: 'mask' }) }
}

function isResult(entry: CompactInput['log'][number]): boolean {
  return entry.type === 'message' && entry.message.role === 'tool'
}

/** Returns the text that replaces a masked result; undefined if the result is not masked. It needs the text, too, because some agents reuse ids of calls. */
export type MaskedResults = (toolCallId: string, text: string) => string | undefined

/** The replacements for the results that a log masks. */
export function maskedResults(log: readonly Entry[]): MaskedResults {
  const masked = new Set(log.flatMap((entry) => (entry.type === 'mask' ? entry.targets : [])))
  const originals = new Map(
    log.flatMap((entry) => (entry.type === 'message' ? [[entry.seq, entry.message] as const] : [])),
  )
  const shown = new Map<string, string>()
  for (const { kind, seq, message } of viewOf(log).items.slice()) {
    const original = masked.has(seq) ? originals.get(seq) : undefined
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
