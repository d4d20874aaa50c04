import { viewOf } from '../../engine/context/view/view-of.ts'
import type { Entry } from '../../model/entry.ts'
import { type Message, outputText, resultsOf } from '../../model/message/message.ts'

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
