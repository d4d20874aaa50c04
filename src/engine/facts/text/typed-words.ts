import { type Message, partsOf } from '../../../model/message.ts'
import { isTypedCommand, typedText } from './machine-text.ts'

/**
 * What a person typed of a message in the user's role. Each text is looked at by itself: Claude Code puts notices ("[Request
 * interrupted by user]", the output of `/model` or of a shell command) and what is typed behind them into one message.
 */
export function typedWords(message: Message): string {
  const typed: string[] = []
  for (const part of partsOf(message)) {
    if (part.type !== 'text') continue
    if (typed.length > 0 && ATTACHED.test(part.text)) break
    const words = typedText(part.text)
    if (words.trim() !== '') typed.push(words)
    // The texts behind such a command are what Claude Code makes of it.
    if (words !== '' && isTypedCommand(part.text)) break
  }
  return typed.join('\n')
}

/** opencode puts the files that a message names behind it, each as a call and its result in words. */
const ATTACHED = /^Called the Read tool with the following input: \{/
