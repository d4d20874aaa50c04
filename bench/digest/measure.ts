/**
 * On real Claude Code sessions: does the index hold every file that was edited and read, and what does the digest say
 * beside the summary that the agent recorded? Needs a folder of sessions:
 *   node bench/digest/measure.ts FOLDER          the table
 *   node bench/digest/measure.ts FOLDER --show 3 the third cut, digest and recorded summary one after the other
 */
import { existsSync, readdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { compact, type Entry, indexDelta, logOf, type Message, messagesOf, viewOf } from '../../src/index.ts'
import { type Recorded, readSession } from './claude-code.ts'

const folder = resolve(process.argv[2] ?? '../shared/transcripts/claude-code')
if (!existsSync(folder)) {
  console.error(`No sessions: ${folder} does not exist. Give a folder of Claude Code session files (.jsonl).`)
  process.exit(1)
}
const shown = process.argv.includes('--show') ? Number(process.argv[process.argv.indexOf('--show') + 1]) : undefined

type Cut = Recorded & { readonly file: string; readonly messages: readonly Message[]; readonly recorded: boolean }

const cuts = readdirSync(folder)
  .filter((file) => file.endsWith('.jsonl'))
  .flatMap((file): Cut[] => {
    const { messages, compactions } = readSession(join(folder, file))
    const cutAt = (share: number) => ({ at: Math.floor(messages.length * share), from: 0, summary: '' })
    const all = compactions.length > 0 ? compactions : [cutAt(0.5), cutAt(0.8)]
    return all.map((cut) => ({ ...cut, file, messages, recorded: compactions.length > 0 }))
  })

console.log(
  ' #  cut                                     messages  edited  read   record / recorded summary (characters)',
)
for (const [i, cut] of cuts.entries()) {
  const span = withoutPending(cut.messages.slice(cut.from, cut.at))
  const log = logOf(span)
  const index = indexDelta(viewOf(log).items.slice())
  const { edited, read } = filesByName(span)
  const found = new Set((index.files ?? []).map(({ path }) => path))
  const modified = new Set((index.files ?? []).filter(({ access }) => access === 'modified').map(({ path }) => path))
  const record = await recordOf(log)
  const columns = [
    String(i + 1).padStart(2),
    `${cut.file.slice(0, 28)}@${cut.at}${cut.recorded ? '' : ' (no record)'}`.padEnd(40),
    String(span.length).padStart(7),
    `${[...edited].filter((path) => modified.has(path)).length}/${edited.size}`.padStart(7),
    `${[...read].filter((path) => found.has(path)).length}/${read.size}`.padStart(6),
    `${record.length} / ${cut.summary.length}`.padStart(16),
  ]
  console.log(columns.join('  '))
  if (shown === i + 1) console.log(`\n===== RECORD =====\n${record}\n\n===== RECORDED SUMMARY =====\n${cut.summary}\n`)
}

/** A cut by share may fall between a call and its result. */
function withoutPending(messages: readonly Message[]): readonly Message[] {
  const answered = new Set(
    messages
      .flatMap((message) => (message.role === 'tool' ? message.content : []))
      .flatMap((part) => (part.type === 'tool-result' ? [part.toolCallId] : [])),
  )
  const open = messages.findIndex(
    (message) =>
      message.role === 'assistant' &&
      typeof message.content !== 'string' &&
      message.content.some((part) => part.type === 'tool-call' && !answered.has(part.toolCallId)),
  )
  return open === -1 ? messages : messages.slice(0, open)
}

/** What the model would read in the place of the whole span, made without a model. */
async function recordOf(log: readonly Entry[]): Promise<string> {
  const result = await compact({ log, model: { contextWindow: 200_000 } })
  const [record] = messagesOf(result.view)
  return typeof record?.content === 'string' ? record.content : ''
}

/** The files by the names of the tools alone, counted independently of the engine's tables. */
function filesByName(messages: readonly Message[]): { edited: Set<string>; read: Set<string> } {
  const edited = new Set<string>()
  const read = new Set<string>()
  const failed = new Set<string>()
  for (const message of messages) {
    if (message.role !== 'tool') continue
    for (const part of message.content) {
      if (part.type === 'tool-result' && part.output.type === 'error-text') failed.add(part.toolCallId)
    }
  }
  for (const message of messages) {
    if (message.role !== 'assistant' || typeof message.content === 'string') continue
    for (const part of message.content) {
      if (part.type !== 'tool-call' || failed.has(part.toolCallId)) continue
      const path = (part.input as { file_path?: unknown } | undefined)?.file_path
      if (typeof path !== 'string') continue
      if (part.toolName === 'Edit' || part.toolName === 'Write' || part.toolName === 'MultiEdit') edited.add(path)
      if (part.toolName === 'Read') read.add(path)
    }
  }
  return { edited, read }
}
