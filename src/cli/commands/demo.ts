import {
  appended,
  type CompactResult,
  compact,
  type Entry,
  logOf,
  type Message,
  messagesOf,
  percentText,
  statusOf,
  undoTargets,
  viewOf,
} from '../../engine/index.ts'
import { EXAMPLE_SESSION, EXAMPLE_WINDOW } from '../example-session.ts'

const MODEL = { contextWindow: EXAMPLE_WINDOW }

/** Shows on a bundled conversation what the engine does: how full it is, a compaction, what remains, the undo. */
export async function demo(print: (line: string) => void): Promise<void> {
  const log = logOf(EXAMPLE_SESSION)
  print('Pith keeps an agent’s conversation inside its context window. An example, without network or key:\n')
  print(`${bar(log)}  ${log.length} messages\n`)

  // No model is passed: the summary is a digest, made from the log alone.
  const result = await compact({ log, model: MODEL })
  print(compacted(result))
  const longer = [...log, ...result.entries]
  print(`${bar(longer)}  ${result.messages.length} messages\n`)
  print(indented(textOf(result.messages[0])))

  const undone = appended(longer, [{ type: 'undo', of: undoTargets(longer).undo ?? 0 }])
  const same = JSON.stringify(messagesOf(viewOf(undone))) === JSON.stringify(messagesOf(viewOf(log)))
  print(`\nUndone: the view is ${same ? 'byte for byte the one before' : 'NOT the one before'}.`)
  print(
    `${bar(undone)}  ${viewOf(undone).items.length} messages, ${undone.length} entries in the log: nothing was deleted.`,
  )
}

function bar(log: readonly Entry[]): string {
  const now = statusOf(log, { model: MODEL })
  const filled = Math.round(((now.percent ?? 0) / 100) * 30)
  return `${'█'.repeat(filled)}${'░'.repeat(30 - filled)} ${percentText(now)} of ${EXAMPLE_WINDOW} tokens`
}

function compacted(result: CompactResult): string {
  if (!result.compacted) return `No compaction needed: ${result.reason}`
  const saved = result.tokensBefore - result.tokensAfter
  return `✓ Compacted ${result.messagesRemoved} messages (without a model: a ${result.rung})\n  Tokens: ${result.tokensBefore} → ${result.tokensAfter} (saved ${saved})`
}

function textOf(message: Message | undefined): string {
  return typeof message?.content === 'string' ? message.content : ''
}

function indented(text: string): string {
  return text
    .split('\n')
    .map((line) => `  │ ${line}`)
    .join('\n')
}
