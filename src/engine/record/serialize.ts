import { headOf, oneLine } from '../../model/text.ts'
import { type Item, jsonText, type Message, outputText, type Part, partsOf } from '../../model/types.ts'
import { typedIn, untypedIn } from '../extract/text/typed-words.ts'

export type SerializeOptions = {
  /** Tool results, arguments and reasoning are cut there; 0 never cuts. */
  readonly cutCharacters: number
  /** For one message that is read by itself: lines that look like a label of another speaker stay as they are. */
  readonly isVerbatim?: boolean
}

/** A message as text for a summariser: one labelled paragraph a part. Tool results are always among them. */
export function serialize(message: Message, options: SerializeOptions): string {
  const { role, content } = message
  if (typeof content === 'string') return textPart(content, role, options)
  // Most messages have one part.
  const [only] = content
  return content.length === 1 && only !== undefined
    ? serializePart(only, role, options)
    : serializeAll([message], options)
}

/** The same for an item of a view. What nobody is known to have typed in the user's role is cut like a result. */
export function serializeItem(item: Item, options: SerializeOptions): string {
  const untyped = item.kind === 'message' ? untypedIn(item) : ''
  if (item.kind !== 'message' || untyped === '') return serialize(item.message, options)
  const others = partsOf(item.message).flatMap((part) =>
    part.type === 'text' ? [] : [serializePart(part, 'user', options)],
  )
  const attached = `[In the user's role]: ${unlabelled(cutText(untyped, options.cutCharacters), options)}`
  return [textPart(typedIn(item), 'user', options), ...others, attached].filter((text) => text !== '').join('\n\n')
}

/**
 * The messages as one text.
 *
 * @example
 * ```ts
 * import { serializeAll } from 'pith'
 *
 * console.log(serializeAll(messages, { cutCharacters: 2_000 }))
 * ```
 */
export function serializeAll(messages: readonly Message[], options: SerializeOptions): string {
  const paragraphs: string[] = []
  for (const message of messages) {
    for (const part of partsOf(message)) {
      const text = serializePart(part, message.role, options)
      if (text !== '') paragraphs.push(text)
    }
  }
  return paragraphs.join('\n\n')
}

/** Cut, with a line of its own that says how much is missing: `[...N chars truncated]`. */
export function cutText(text: string, characters: number): string {
  if (characters <= 0 || text.length <= characters) return text
  const head = headOf(text, characters)
  return `${head}\n[...${text.length - head.length} chars truncated]`
}

/** A name stays on its line, whatever is in it. */
const NAME_CHARACTERS = 400

const LABELS: Record<Message['role'], string> = {
  user: '[User]',
  assistant: '[Assistant]',
  tool: '[Tool result]',
  system: '[System]',
}

function textPart(text: string, role: Message['role'], options: SerializeOptions): string {
  return text === '' ? '' : `${LABELS[role]}: ${unlabelled(text, options)}`
}

/** A text of which no line begins like a label: a file may have "[User]:" in it, and would speak for the user. */
function unlabelled(text: string, { isVerbatim = false }: SerializeOptions): string {
  return !isVerbatim && text.includes('[') ? text.replace(LABEL, '\\$&') : text
}

const LABEL = /^\[(?:User|In the user's role|Assistant|System|Tool result|Thinking)\]:|^\[Tool call: /gm

function serializePart(part: Part, role: Message['role'], options: SerializeOptions): string {
  const { cutCharacters } = options
  switch (part.type) {
    case 'text':
      return textPart(part.text, role, options)
    case 'reasoning':
      return part.text === '' ? '' : `[Thinking]: ${unlabelled(cutText(part.text, cutCharacters), options)}`
    case 'tool-call':
      return callText(oneLine(part.toolName, NAME_CHARACTERS), jsonText(part.input), cutCharacters)
    case 'tool-result':
      return `[Tool result]: ${unlabelled(cutText(outputText(part.output), cutCharacters), options)}`
    case 'image':
      return `${LABELS[role]}: [image]`
    case 'file':
      return `${LABELS[role]}: [file${part.filename === undefined ? '' : ` ${oneLine(part.filename, NAME_CHARACTERS)}`}, ${oneLine(part.mediaType, NAME_CHARACTERS)}]`
    case 'tool-approval-response':
      return part.approved
        ? ''
        : `[Tool result]: the user refused the call${part.reason ? `: ${unlabelled(part.reason, options)}` : ''}`
    case 'tool-approval-request':
    case 'reasoning-file':
    case 'custom':
      return ''
  }
}

/** The brackets that close a call with cut arguments are after the line of the note. */
function callText(name: string, input: string, cutCharacters: number): string {
  const shown = cutText(input, cutCharacters)
  return `[Tool call: ${name}(${shown}${shown === input ? '' : '\n'})]`
}

/**
 * Messages for a request that declares no tools: providers refuse tool parts there, so calls and results become text
 * (K8), a result as the user's turn. Images, files and reasoning are named or left out.
 */
export function asText(messages: readonly Message[], options: SerializeOptions): Message[] {
  return messages.flatMap((message): Message[] => {
    if (typeof message.content === 'string') return message.content.trim() === '' ? [] : [userOrAssistant(message)]
    const content = partsOf(message)
      .filter((part) => part.type !== 'reasoning')
      .map((part) => partText(part, message, options))
      .filter((text) => text.trim() !== '')
      .join('\n\n')
    return content === '' ? [] : [userOrAssistant({ ...message, content } as Message)]
  })
}

function partText(part: Part, message: Message, options: SerializeOptions): string {
  if (part.type === 'text') return part.text
  return serialize({ role: message.role, content: [part] } as Message, options)
}

function userOrAssistant(message: Message): Message {
  const content = message.content as string
  return message.role === 'assistant' ? { role: 'assistant', content } : { role: 'user', content }
}
