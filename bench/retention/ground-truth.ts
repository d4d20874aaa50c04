import { type Entry, type Message, viewOf } from '../../src/engine/index.ts'

/** One recorded compaction: what it stands for, what its agent wrote, and what came after it. */
export type Cut = {
  readonly number: number
  /** The log up to the compaction: its view is what the agent's model saw last. */
  readonly log: readonly Entry[]
  /** What was said since the compaction before, and that one's summary as a text. */
  readonly span: readonly Message[]
  readonly later: readonly Message[]
  readonly recorded: string
}

/** The compactions of a log that have a readable summary. What the agent kept verbatim behind its summary is not in the span. */
export function cutsOf(entries: readonly Entry[]): Cut[] {
  const places = entries.flatMap((entry, i) => (entry.type === 'compaction' ? [i] : []))
  return places.flatMap((place, k) => {
    const entry = entries[place]
    if (entry?.type !== 'compaction' || entry.summary.trim() === '' || ENCRYPTED.test(entry.summary)) return []
    const kept = new Set(entry.keep)
    const log = entries.slice(0, place).filter(({ seq }) => !kept.has(seq))
    const messages = (from: number, to?: number) =>
      entries.slice(from, to).flatMap((said) => (said.type === 'message' && !kept.has(said.seq) ? [said.message] : []))
    const earlier = viewOf(log)
      .items.slice()
      .flatMap((item) => (item.kind === 'summary' ? [item.message] : []))
    const span = [...earlier, ...messages((places[k - 1] ?? -1) + 1, place)]
    return [{ number: k + 1, log, span, later: messages(place + 1), recorded: entry.summary }]
  })
}

/** What our reader says in the place of a summary that only its provider can read. */
const ENCRYPTED = /its summary is encrypted and only its provider can read it\.\]$/

/** What a summary of a span has to keep, found by the names of tools and arguments alone, without the engine's tables. */
export type GroundTruth = {
  /** Files that an editing tool was given and that did not fail. */
  readonly edited: ReadonlySet<string>
  /** Files that a reading tool was given, that did not fail, and that were not edited. */
  readonly readOnly: ReadonlySet<string>
  /** Files of both kinds that a reading or editing tool is given again after the compaction, or a command names there. */
  readonly usedAgain: ReadonlySet<string>
  /** What a person typed, in order, each once. */
  readonly prompts: readonly string[]
  /** All that was said, called and answered, as one text: what is named in no part of it was invented. */
  readonly text: string
}

export function groundTruth({ span, later, log }: Cut): GroundTruth {
  const edited = filesBy(span, EDITORS)
  const read = filesBy(span, READERS)
  const readOnly = new Set([...read].filter((path) => !edited.has(path)))
  const named = new Set([...filesBy(later, EDITORS), ...filesBy(later, READERS)])
  const commands = later.flatMap(callsOf).flatMap(({ input }) => stringsIn(input, ['command', 'cmd']))
  const isUsed = (path: string) => named.has(path) || commands.some((command) => command.includes(path))
  const prompts = span.slice(summariesIn(span, log)).flatMap(promptOf)
  // A file of an earlier span is no invention: the log of the compaction contains it.
  const all = log.flatMap((entry) => (entry.type === 'message' ? [entry.message] : []))
  return {
    edited,
    readOnly,
    usedAgain: new Set([...edited, ...readOnly].filter(isUsed)),
    prompts: [...new Set(prompts)],
    text: JSON.stringify([span, all]).replaceAll('\\n', '\n').replaceAll('\\"', '"').replaceAll('\\\\', '\\'),
  }
}

/** The summaries of earlier compactions stand first in a span, in the user's role; a person did not type them. */
function summariesIn(span: readonly Message[], log: readonly Entry[]): number {
  const summaries = new Set(log.flatMap((entry) => (entry.type === 'compaction' ? [entry.summary] : [])))
  return span.findIndex(({ content }) => typeof content !== 'string' || !summaries.has(content))
}

const EDITORS = new Set(['edit', 'write', 'multiedit', 'notebookedit', 'apply_patch'])
const READERS = new Set(['read', 'notebookread'])

type Call = { readonly id: string; readonly name: string; readonly input: unknown }

function callsOf({ role, content }: Message): Call[] {
  if (role !== 'assistant' || typeof content === 'string') return []
  return content.flatMap((part) =>
    part.type === 'tool-call' ? [{ id: part.toolCallId, name: part.toolName.toLowerCase(), input: part.input }] : [],
  )
}

function filesBy(messages: readonly Message[], tools: ReadonlySet<string>): Set<string> {
  const failed = new Set(messages.flatMap(failedIn))
  const calls = messages.flatMap(callsOf).filter(({ id, name }) => tools.has(name) && !failed.has(id))
  return new Set(calls.flatMap(({ input }) => [...stringsIn(input, PATHS), ...patchedIn(input)]))
}

const PATHS = ['file_path', 'notebook_path', 'filePath', 'path']

function patchedIn(input: unknown): string[] {
  const patch = typeof input === 'string' ? input : (stringsIn(input, ['input', 'patch', 'patchText'])[0] ?? '')
  return [...patch.matchAll(/^\*\*\* (?:Update|Add|Delete) File: (.+)$/gm)].map((match) => (match[1] ?? '').trim())
}

function stringsIn(input: unknown, names: readonly string[]): string[] {
  if (typeof input !== 'object' || input === null) return []
  const fields = new Map<string, unknown>(Object.entries(input))
  return names.map((name) => fields.get(name)).filter((value) => typeof value === 'string')
}

function failedIn({ role, content }: Message): string[] {
  if (role !== 'tool' || typeof content === 'string') return []
  return content.flatMap((part) =>
    part.type === 'tool-result' && /^error|denied/.test(part.output.type) ? [part.toolCallId] : [],
  )
}

/** Programs put what they say in the user's role into tags, or start it with one of a few phrases. */
const BY_PROGRAM =
  /^\s*(?:<[a-z][\w-]*[\s>]|\[Request interrupted|Caveat: |Base directory for this skill:|# AGENTS\.md instructions)/i

function promptOf({ role, content }: Message): string[] {
  if (role !== 'user') return []
  const text =
    typeof content === 'string'
      ? content
      : content.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n')
  return text.trim() === '' || BY_PROGRAM.test(text) ? [] : [text]
}
