import { commandLineIn } from '../../engine/report/item-names.ts'
import { type Entry, partsOf, type ToolCallPart, textOf } from '../../model/types.ts'
import { searchText } from '../../store/search/search-text.ts'
import type { RecallHit } from './port.ts'
import { safeText } from './safe-text.ts'

const MOST_CHARACTERS = 4_000

/** True for `#12`, `12` and `#12-#20`: entries by their handles. Other texts are searched for. */
export function isHandle(text: string): boolean {
  return /^\s*#?\d+(?:\s*-\s*#?\d+)?\s*$/.test(text)
}

type FoundHit = { readonly seq: number; readonly type: string; readonly role?: string; readonly snippet: string }

/** A found place in the log, with the text around it. */
export function foundHit({ seq, type, role, snippet }: FoundHit): RecallHit {
  return { seq, type: role ?? type, text: safeText(snippet) }
}

/** An entry verbatim, up to a limit. Its commands are not cut, because the user may want to know what ran. */
export function entryHit(entry: Entry): RecallHit {
  if (entry.type !== 'message') return { seq: entry.seq, type: entry.type, text: shortened(searchText(entry)) }
  const { message, seq } = entry
  const calls = partsOf(message).flatMap((part) => (part.type === 'tool-call' ? [part] : []))
  const commands = calls.flatMap(commandText)
  const words = textOf(message)
  const rest = words === '' && (calls.length === 0 || commands.length < calls.length) ? searchText(entry) : words
  const texts = [shortened(rest), ...commands]
  return { seq, type: message.role, text: texts.filter((text) => text !== '').join('\n') }
}

function commandText({ toolName, input }: ToolCallPart): string[] {
  const command = commandLineIn(input)
  return command === undefined ? [] : [`${toolName} ${safeText(command)}`]
}

function shortened(text: string): string {
  const safe = safeText(text)
  return safe.length > MOST_CHARACTERS ? `${safe.slice(0, MOST_CHARACTERS)}\n…` : safe
}
