import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** A summary that an agent recorded, every text of its session before it, and those after it. */
export type Recorded = {
  readonly name: string
  readonly summary: string
  readonly before: readonly string[]
  readonly after: readonly string[]
  readonly modifiedFiles: readonly string[]
}

/** The summaries in the JSONL transcripts (Claude Code, Codex) below a folder; `opaque` counts the encrypted ones. */
export function recordedSummaries(folder: string): { recorded: Recorded[]; opaque: number } {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.jsonl'))
  const all = files.toSorted().flatMap((file) => summariesIn(file, readFileSync(join(folder, file), 'utf8')))
  return {
    recorded: all.filter(({ summary }) => summary !== ''),
    opaque: all.filter(({ summary }) => summary === '').length,
  }
}

type Row = Readonly<Record<string, unknown>>

function summariesIn(file: string, text: string): Recorded[] {
  const rows = text.split('\n').map(parsed)
  const texts = rows.map(textsOf)
  return rows.flatMap((row, i) => {
    const summary = summaryOf(row)
    if (summary === undefined) return []
    const modifiedFiles = [...new Set(rows.slice(0, i).flatMap(modifiedBy))]
    const [before, after] = [texts.slice(0, i).flat(), texts.slice(i + 1).flat()]
    return [{ name: `${file}:${i + 1}`, summary, before, after, modifiedFiles }]
  })
}

function parsed(line: string): Row {
  try {
    return asRow(JSON.parse(line))
  } catch {
    return {}
  }
}

function asRow(value: unknown): Row {
  return typeof value === 'object' && value !== null ? (value as Row) : {}
}

/** The summary in a row, without the sentences that the agent puts around it; empty when it is encrypted. */
function summaryOf(row: Row): string | undefined {
  if (row.type === 'compacted') return String(asRow(row.payload).message ?? '')
  if (row.isCompactSummary !== true) return undefined
  return stringsOf(asRow(row.message).content)
    .join('\n')
    .replace(/^This session is being continued[^\n]*\n/, '')
    .replace(
      /\n(?:If you need specific details from before compaction|Please continue the conversation from)[\s\S]*$/,
      '',
    )
}

/** The texts that a row gave the model: its folder and branch, messages, calls with their arguments as JSON, outputs. */
function textsOf(row: Row): string[] {
  switch (row.type) {
    case 'response_item':
    case 'session_meta':
    case 'turn_context':
    case 'compacted':
      return stringsOf(row.payload)
    case 'queue-operation':
      return stringsOf(row.content)
    default:
      return [row.cwd, row.gitBranch, asRow(row.message).content, row.attachment].flatMap(stringsOf)
  }
}

/** All texts in a value; the arguments of a call are one JSON text. */
function stringsOf(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  if (Array.isArray(value)) return value.flatMap(stringsOf)
  return Object.entries(asRow(value)).flatMap(([key, inner]) =>
    key === 'input' ? [JSON.stringify(inner)] : stringsOf(inner),
  )
}

function modifiedBy(row: Row): string[] {
  const content = asRow(row.message).content
  return (Array.isArray(content) ? content : []).map(asRow).flatMap(({ type, name, input }) => {
    const path = asRow(input).file_path
    const isChange = type === 'tool_use' && /^(?:Write|Edit|MultiEdit)$/.test(String(name))
    return isChange && typeof path === 'string' ? [path] : []
  })
}
