import { type Message, type Part, partsOf } from '../../src/model/types.ts'

export { jsonText, type Message, outputText, type Part, partsOf } from '../../src/model/types.ts'

/** The text parts of a message as one text. */
export function textOf(message: Message): string {
  return partsOf(message)
    .flatMap((part) => (part.type === 'text' ? [part.text] : []))
    .join('\n')
}

/** The parts of one type. */
export function partsOfType<T extends Part['type']>(message: Message, type: T): Extract<Part, { type: T }>[] {
  return partsOf(message).filter((part): part is Extract<Part, { type: T }> => part.type === type)
}

/** One tool result as a message of ours. */
export function resultMessage(toolCallId: string, toolName: string, value: string): Message {
  return { role: 'tool', content: [{ type: 'tool-result', toolCallId, toolName, output: { type: 'text', value } }] }
}
