import type { Seq } from '../model/ids.ts'
import type { IndexDelta } from '../model/log-index.ts'
import { type Message, textOf } from '../model/message.ts'
import type { MessageItem } from '../model/view.ts'
import { setsConstraint } from './digest/cues.ts'
import { agentIdentifiersIn, identifiersIn } from './digest/identifiers.ts'
import { typedText } from './digest/machine-text.ts'
import { sentencesOf } from './digest/sentences.ts'

/**
 * What the words of a message add to the index. A message never changes, so they are looked through once: who asks when
 * it is said spares the compaction the work.
 */
export function saidFacts(item: MessageItem): IndexDelta {
  const { seq, message } = item
  const known = remembered.get(message)
  if (known?.seq === seq) return known.facts
  const facts = message.role === 'user' ? userFacts(item) : message.role === 'assistant' ? agentFacts(item) : {}
  remembered.set(message, { seq, facts })
  return facts
}

const remembered = new WeakMap<Message, { readonly seq: Seq; readonly facts: IndexDelta }>()

/** A pasted file is quoted by its head and tail; what the user demands stands in what they typed. */
const SCANNED_CHARACTERS = 20_000

function userFacts({ seq, message }: MessageItem): IndexDelta {
  const text = typedText(textOf(message))
  if (text === '') return {}
  const typed = text.slice(0, SCANNED_CHARACTERS)
  const sentences = [...new Set(sentencesOf(typed).filter(setsConstraint))]
  return {
    users: [{ seq, text }],
    constraints: sentences.slice(0, 20).map((sentence) => ({ text: sentence, seq })),
    identifiers: identifiersIn(typed).map((name) => ({ ...name, seq })),
  }
}

/** Names that the agent said: files, commands and errors come from its calls. */
function agentFacts({ seq, message }: MessageItem): IndexDelta {
  return { identifiers: agentIdentifiersIn(textOf(message)).map((name) => ({ ...name, seq })) }
}
