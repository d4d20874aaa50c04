import type { Seq } from '../../model/ids.ts'
import { callsOf, type Message, resultsOf, textOf } from '../../model/message/message.ts'
import { type Fields, fields, list, objects, text, wholeNumber } from '../shared/json.ts'
import type { LogBuilder, MessageFacts } from '../shared/log-builder.ts'

/**
 * Appends a compaction that qwen-code recorded. It stores the history that it goes on with: the summary, a word of the model
 * that it understood, files that it read again, and the messages that it kept.
 */
export function addQwenCodeCompaction(log: LogBuilder, payload: Fields, facts: MessageFacts): void {
  const info = fields(payload.info)
  const kept: Seq[] = []
  const told: string[] = []
  for (const content of objects(payload.compressedHistory)) {
    const seqs = sameMessages(log, content).filter((seq) => !kept.includes(seq))
    kept.push(...seqs)
    if (seqs.length === 0 && content.role === 'user') told.push(textIn(content))
  }
  log.compact({
    summary: told[0] ?? '',
    shown: told.join('\n\n'),
    keep: kept.toSorted((a, b) => a - b),
    tokensBefore: wholeNumber(info?.originalTokenCount),
    trigger: info?.triggerReason === 'manual' ? 'manual' : info?.triggerReason === 'token_limit' ? 'auto' : undefined,
    ...facts,
  })
}

/** The messages of the log that a content of the history is: by their calls and results, or by their words. */
function sameMessages(log: LogBuilder, content: Fields): Seq[] {
  const parts = objects(content.parts)
  const calls = new Set(parts.flatMap((part) => text(fields(part.functionCall)?.id) ?? []))
  const answers = new Set(parts.flatMap((part) => text(fields(part.functionResponse)?.id) ?? []))
  const role = content.role === 'model' ? 'assistant' : 'user'
  const words = textIn(content)
  const isSame = (message: Message) =>
    callsOf(message).some((call) => calls.has(call.toolCallId)) ||
    resultsOf(message).some((result) => answers.has(result.toolCallId)) ||
    (message.role === role && words !== '' && textOf(message) === words && callsOf(message).length === calls.size)
  return log.live.filter(({ message }) => isSame(message)).map(({ seq }) => seq)
}

function textIn(content: Fields): string {
  return list(content.parts)
    .flatMap((part) => text(fields(part)?.text) ?? [])
    .join('\n')
}
