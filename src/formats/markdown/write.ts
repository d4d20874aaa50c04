import { oneLine, shorten } from '../../model/text.ts'
import { jsonText, outputText, type Part, partsOf } from '../../model/types.ts'
import type { AgentFile, WriteDeps, WriteInput } from '../shared/format.ts'
import { fileWithNewId, type KeptMessage, type OpeningSummary, viewPartsOf } from '../shared/view-parts.ts'

/** Longer results and arguments are cut in the middle, because people read a hand-off, too. */
const SHOWN_CHARACTERS = 2_000

/** Writes a hand-off: the record of the work so far, then the last messages, for a person or any other agent. */
export function writeMarkdown(session: WriteInput, deps: WriteDeps): AgentFile {
  const { opening, tail } = viewPartsOf(session.entries, deps)
  const facts = [
    session.workspace === undefined ? [] : [`- Folder: \`${session.workspace}\``],
    session.models === undefined || session.models.length === 0 ? [] : [`- Models: ${session.models.join(', ')}`],
  ].flat()
  const sections = [
    `# ${session.title === undefined ? 'Hand-off' : `Hand-off: ${session.title.replaceAll('\n', ' ')}`}`,
    facts.join('\n'),
    opening === undefined ? '' : `## So far\n\n${recordOf(opening)}`,
    tail.length === 0 ? '' : `## The last messages\n\n${tail.flatMap(rendered).join('\n\n')}`,
  ]
  return fileWithNewId(`${sections.filter((section) => section !== '').join('\n\n')}\n`, deps, 'md')
}

/** A record of ours without the text around it, which is for the model; another agent's summary unchanged. */
function recordOf({ item, text }: OpeningSummary): string {
  return (item.frame === 'pith' ? RECORD.exec(text)?.[2] : undefined) ?? text
}

const RECORD = /<(record-[0-9a-f]+)>\n([\s\S]*)\n<\/\1>/

const TITLES = { user: '### User', assistant: '### Agent', tool: '', system: '### System' } as const

function rendered({ message }: KeptMessage): string[] {
  const texts = partsOf(message).flatMap(renderedPart)
  return texts.length === 0 ? [] : [[TITLES[message.role], ...texts].filter((line) => line !== '').join('\n\n')]
}

function renderedPart(part: Part): string[] {
  switch (part.type) {
    case 'text':
      return part.text.trim() === '' ? [] : [part.text.replace(TITLE, '\\$&')]
    case 'tool-call':
      return [`Called \`${nameOf(part)}\`:\n\n${fenced(jsonText(part.input))}`]
    case 'tool-result':
      return [`Result of \`${nameOf(part)}\`:\n\n${fenced(outputText(part.output))}`]
    case 'image':
    case 'file':
      return [`[${part.type}]`]
    default:
      return []
  }
}

/** One of our titles at the beginning of a line. It is escaped in a message, because it would look like a message of somebody else. */
const TITLE = /^[^\S\n]*#{1,6}[^\S\n]+(?:User|Agent|System|So far|The last messages)\b/gm

function nameOf({ toolName }: { readonly toolName: string }): string {
  return oneLine(toolName, 120).replaceAll('`', '')
}

/** A fence that nothing inside can close. */
function fenced(text: string): string {
  const half = SHOWN_CHARACTERS / 2
  const shown = shorten(text, half, half, (cut) => `\n[… ${cut} characters left out …]\n`)
  const longest = shown.match(/`+/g)?.reduce((most, ticks) => Math.max(most, ticks.length), 0) ?? 0
  const fence = '`'.repeat(Math.max(3, longest + 1))
  return `${fence}\n${shown}\n${fence}`
}
