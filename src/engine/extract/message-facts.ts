import { excerpt, handle } from '../../model/text.ts'
import {
  type ConstraintFact,
  type IdentifierFact,
  type IndexDelta,
  type MessageItem,
  type Seq,
  textOf,
} from '../../model/types.ts'
import { attachedInstructions, skillInMessage } from './instructions/instruction-facts.ts'
import { agentIdentifiersIn, identifiersIn } from './text/identifiers.ts'
import { sentencesOf, setsConstraint } from './text/sentences.ts'
import { typedIn, untypedIn } from './text/typed-words.ts'

/** The facts that the words of a message add to the index. */
export function messageFacts(item: MessageItem): IndexDelta {
  switch (item.message.role) {
    case 'user':
      return userFacts(item)
    case 'system':
      return systemFacts(item)
    case 'assistant':
      return agentFacts(item)
    case 'tool':
      return NOTHING
  }
}

const NOTHING: IndexDelta = {}

/** A system or developer message inside a conversation is an instruction, not a part of the conversation. */
function systemFacts({ seq, message, at }: MessageItem): IndexDelta {
  const text = textOf(message)
  if (text.trim() === '' || isPresetSummary(text)) return NOTHING
  const identifiers = identifiersIn(text).map((name) => ({ ...name, seq }))
  return { instructions: [{ seq, text, at }], identifiers }
}

/** A summary of ours in the system role, in the form of a preset. */
function isPresetSummary(text: string): boolean {
  return /^\[Conversation (?:Summary\]|summary — earlier messages were compacted\])/.test(text)
}

function userFacts(item: MessageItem): IndexDelta {
  const { seq, at } = item
  const text = typedIn(item)
  const untyped = untypedIn(item)
  const inRole = untyped === '' ? {} : { inRole: [{ seq, text: excerpt(untyped, IN_ROLE, handle(seq)), at }] }
  const instructionFiles = text === '' ? skillInMessage(item) : attachedInstructions(item)
  const files = instructionFiles.length === 0 ? {} : { instructionFiles }
  return text === ''
    ? { ...inRole, ...files }
    : { users: [{ seq, text, at }], ...typedFacts(text, { seq, at }), ...inRole, ...files }
}

/** Text that nobody typed is shortened like an output. */
const IN_ROLE = { head: 3_000, tail: 1_000 } as const

/** Only names: files, commands and errors come from the agent's calls. */
function agentFacts({ seq, message }: MessageItem): IndexDelta {
  const names = agentIdentifiersIn(textOf(message))
  return names.length === 0 ? NOTHING : { identifiers: names.map(({ kind, text }) => ({ kind, text, seq })) }
}

/** The demands and names in words that the user typed. */
export function typedFacts(
  words: string,
  { seq, at }: { readonly seq: Seq; readonly at?: number },
): { constraints: ConstraintFact[]; identifiers: IdentifierFact[] } {
  const typed = words.slice(0, SCANNED_CHARACTERS)
  const sentences = [...new Set(sentencesOf(typed).filter(setsConstraint))]
  return {
    constraints: sentences.slice(0, 20).map((text) => ({ text, seq, at })),
    identifiers: identifiersIn(typed).map((name) => ({ ...name, seq })),
  }
}

/** Only this much is searched. Demands are in the words that the user typed, not in a pasted file. */
const SCANNED_CHARACTERS = 20_000
