import type { Seq } from '../../model/ids.ts'
import type { IndexDelta } from '../../model/log-index.ts'
import { type Message, textOf } from '../../model/message.ts'
import type { MessageItem } from '../../model/view.ts'
import { setsConstraint } from './text/cues.ts'
import { agentIdentifiersIn, identifiersIn } from './text/identifiers.ts'
import { typedText } from './text/machine-text.ts'
import { sentencesOf } from './text/sentences.ts'

/** The facts that the words of a message add to the index. */
export function saidFacts(item: MessageItem): IndexDelta {
  const { seq, message } = item
  if (message.role !== 'user' && message.role !== 'assistant') return NOTHING
  const known = noted.get(message)
  return known?.seq === seq ? known.facts : found(item)
}

/** Finds them now, while nobody waits for them: a message never changes, and who asks later need not look for them. */
export function noteSaidFacts(item: MessageItem): void {
  const { seq, message } = item
  if (message.role === 'user' || message.role === 'assistant') noted.set(message, { seq, facts: found(item) })
}

const noted = new WeakMap<Message, { readonly seq: Seq; readonly facts: IndexDelta }>()

const NOTHING: IndexDelta = {}

function found(item: MessageItem): IndexDelta {
  return item.message.role === 'user' ? userFacts(item) : agentFacts(item)
}

/** A pasted file is quoted by its head and tail; what the user demands stands in what they typed. */
const SCANNED_CHARACTERS = 20_000

function userFacts({ seq, message }: MessageItem): IndexDelta {
  const text = typedText(textOf(message))
  if (text === '') return NOTHING
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
  const names = agentIdentifiersIn(textOf(message))
  return names.length === 0 ? NOTHING : { identifiers: names.map(({ kind, text }) => ({ kind, text, seq })) }
}
