/**
 * The simplest compactor: the newest messages that fit. Four characters count as one token.
 * pith eval --compactor ./truncate.ts
 */
type Message = { role: string; content: unknown }

export default function compact(messages: Message[], { targetTokens }: { targetTokens: number }): Message[] {
  let left = targetTokens * 4
  let from = messages.length
  while (from > 0 && left > 0) left -= JSON.stringify(messages[--from]).length
  // A provider wants a user first, and no result without its call.
  while (from < messages.length && messages[from]?.role !== 'user') from++
  return messages.slice(from)
}
