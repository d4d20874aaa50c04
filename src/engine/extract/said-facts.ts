import type { IndexDelta } from '../../model/facts/log-index.ts'
import type { Seq } from '../../model/ids.ts'
import { type Message, textOf } from '../../model/message/message.ts'
import type { MessageItem } from '../../model/view.ts'
import { agentIdentifiersIn, identifiersIn } from './text/identifiers.ts'
import { typedIn } from './text/typed-words.ts'
import { typedFacts } from './typed-facts.ts'

/** The facts that the words of a message add to the index. */
export function saidFacts(item: MessageItem): IndexDelta {
  const { seq, message } = item
  if (message.role === 'tool') return NOTHING
  const known = noted.get(message)
  return known?.seq === seq ? known.facts : found(item)
}

/** Finds them now, while nobody waits for them: a message never changes, and who asks later need not look for them. */
export function noteSaidFacts(item: MessageItem): void {
  const { seq, message } = item
  if (message.role !== 'tool') noted.set(message, { seq, facts: found(item) })
}

const noted = new WeakMap<Message, { readonly seq: Seq; readonly facts: IndexDelta }>()

const NOTHING: IndexDelta = {}

function found(item: MessageItem): IndexDelta {
  const { role } = item.message
  return role === 'user' ? userFacts(item) : role === 'system' ? systemFacts(item) : agentFacts(item)
}

/** A system or developer message inside a conversation is an instruction, and no part of what was talked about. */
function systemFacts({ seq, message, at }: MessageItem): IndexDelta {
  const text = textOf(message)
  if (text.trim() === '' || isPresetSummary(text)) return NOTHING
  const identifiers = identifiersIn(text).map((name) => ({ ...name, seq }))
  return { instructions: [{ seq, text, at }], identifiers }
}

/** A summary of ours in the system's role, in the form of a preset. */
function isPresetSummary(text: string): boolean {
  return /^\[Conversation (?:Summary\]|summary — earlier messages were compacted\])/.test(text)
}

function userFacts(item: MessageItem): IndexDelta {
  const { seq, at } = item
  const text = typedIn(item)
  return text === '' ? NOTHING : { users: [{ seq, text, at }], ...typedFacts(text, { seq, at }) }
}

/** Names that the agent said: files, commands and errors come from its calls. */
function agentFacts({ seq, message }: MessageItem): IndexDelta {
  const names = agentIdentifiersIn(textOf(message))
  return names.length === 0 ? NOTHING : { identifiers: names.map(({ kind, text }) => ({ kind, text, seq })) }
}
