import { type Message, partsOf } from '../../../model/message.ts'
import { isNotice, isTypedCommand, typedText } from './machine-text.ts'
import { sentMeanwhile } from './sent-meanwhile.ts'

/**
 * What a person typed of a message in the user's role. Each text is looked at by itself: Claude Code puts notices ("[Request
 * interrupted by user]", the output of `/model` or of a shell command) and what is typed behind them into one message.
 */
export function typedWords(message: Message): string {
  const typed: string[] = []
  let behind: 'words' | 'command' | 'call' = 'words'
  for (const part of partsOf(message)) {
    const text = part.type === 'text' ? part.text : undefined
    if (text !== undefined && ATTACHED.test(text)) {
      behind = 'call'
    } else if (behind === 'call') {
      // The part behind such a call is its result: a text or a picture.
      behind = 'words'
    } else if (text !== undefined && (behind !== 'command' || endsExpansion(text))) {
      const words = typedText(text)
      if (words.trim() !== '') typed.push(words)
      behind = isTypedCommand(text) ? 'command' : 'words'
    }
  }
  return typed.join('\n')
}

/** The texts behind a command are what Claude Code makes of it, up to a text that cannot be part of that. */
function endsExpansion(text: string): boolean {
  return isNotice(text) || isTypedCommand(text) || sentMeanwhile(text) !== undefined
}

/** opencode adds the files and MCP resources that a message names, each as a call and its result in words. */
const ATTACHED = /^(?:Called the Read tool with the following input: \{|Reading MCP resource: .+ \([^\s()]+\)$)/
