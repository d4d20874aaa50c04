import { serialize } from '../../engine/record/serialize.ts'
import { type Entry, jsonText } from '../../model/types.ts'

/** As many entries as fit into `characters`, word for word; the last lines say how to get the rest. */
export function recallPage(entries: readonly Entry[], offset: number, characters: number): string {
  const shown: string[] = []
  let room = characters
  for (const [i, entry] of entries.entries()) {
    const text = entryText(entry)
    const title = `#${entry.seq} ${titleOf(entry)}`
    room -= title.length + 3
    const start = entries.length === 1 ? safe(text, offset) : 0
    if (i > 0 && text.length > room) return [...shown, rest(entries.slice(i))].join('\n\n')
    const end = safe(text, start + room)
    shown.push(`${title}\n${text.slice(start, end)}`)
    if (end < text.length) {
      const missing = `(${text.length - end} characters of #${entry.seq} follow: recall it alone with offset ${end})`
      return [...shown, missing, ...(i + 1 < entries.length ? [rest(entries.slice(i + 1))] : [])].join('\n\n')
    }
    room -= text.length
  }
  return shown.join('\n\n')
}

const LISTED = 20

function rest(entries: readonly Entry[]): string {
  const handles = entries.slice(0, LISTED).map(({ seq }) => `#${seq}`)
  return `(Not shown: ${handles.join(', ')}${entries.length > LISTED ? ', …' : ''}. Recall them by themselves.)`
}

function titleOf(entry: Entry): string {
  return entry.type === 'message' ? `(${entry.message.role})` : `(${entry.type})`
}

function entryText(entry: Entry): string {
  switch (entry.type) {
    case 'message':
      return serialize(entry.message, { cutCharacters: 0, isVerbatim: true })
    case 'compaction':
    case 'edit':
      return entry.summary
    case 'todo':
      return entry.items.map(({ text, status }) => `- ${text} (${status})`).join('\n')
    default: {
      const { id: _, seq: __, at: ___, type: ____, ...content } = entry
      return jsonText(content)
    }
  }
}

/** The index, or one less if it would be between the halves of a surrogate pair. */
function safe(text: string, index: number): number {
  const at = Math.min(index, text.length)
  return /^[\udc00-\udfff]/.test(text.slice(at, at + 1)) ? at - 1 : at
}
