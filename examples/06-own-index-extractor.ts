/**
 * An index extractor of your own: facts that must survive every summary, taken from the messages and not from a model's
 * memory. Here they are ticket numbers and the files that a tool of yours writes.
 * In an empty folder with the copy of this file in the package: npm install pith && node 06-own-index-extractor.ts
 */
import { compactMessages, type FactFinder, type Message, serializeAll } from '../src/index.ts' // in your program: from 'pith'

const tickets: FactFinder = (items) => ({
  identifiers: items.flatMap((item) => {
    const text = serializeAll([item.message], { cutCharacters: 0 })
    return (text.match(/\bTICKET-\d+\b/g) ?? []).map((ticket) => ({
      kind: 'issue' as const,
      text: ticket,
      seq: item.seq,
    }))
  }),
  files: items.flatMap(({ message, seq }) => {
    if (message.role !== 'assistant' || typeof message.content === 'string') return []
    return message.content.flatMap((part) => {
      if (part.type !== 'tool-call' || part.toolName !== 'render_report') return []
      const { target } = part.input as { target: string }
      return [{ path: target, access: 'modified' as const, seq, modified: seq }]
    })
  }),
})

const messages: Message[] = Array.from({ length: 30 }, (_, i): Message[] => [
  { role: 'user', content: `Report on TICKET-${100 + i}, please. ${'It matters. '.repeat(30)}` },
  {
    role: 'assistant',
    content: [
      { type: 'tool-call', toolCallId: `c${i}`, toolName: 'render_report', input: { target: `out/report-${i}.html` } },
    ],
  },
  {
    role: 'tool',
    content: [
      {
        type: 'tool-result',
        toolCallId: `c${i}`,
        toolName: 'render_report',
        output: { type: 'text', value: 'ok '.repeat(200) },
      },
    ],
  },
  { role: 'assistant', content: 'It is there.' },
]).flat()

const result = await compactMessages(messages, {
  model: { contextWindow: 16_000 },
  facts: tickets,
  policy: { rungs: ['digest'] },
})
console.log(`${result.tokensBefore} → ${result.tokensAfter} tokens`)
console.log(`files modified: ${result.modifiedFiles.length}`)
const record = String(result.messages[0]?.content)
console.log(
  `the record names ${new Set(record.match(/\bTICKET-\d+\b/g)).size} tickets and report-0.html: ${record.includes('report-0.html')}`,
)
