import { commandLineIn } from '../../engine/report/item-names.ts'
import { oneLine } from '../../model/text.ts'
import { type Entry, partsOf, type ToolCallPart, textOf } from '../../model/types.ts'
import { searchText } from '../../search/entry-doc.ts'
import { areHandles, type DamagedEntry, namedHandles } from '../../search/handles.ts'
import type { Hit } from '../../search/hits.ts'
import type { RecallHit } from './port.ts'
import { safeText } from './safe-text.ts'

const MOST_CHARACTERS = 4_000

/** True for `#12`, `12` and `#12, #15-#20`: entries by their handles. Other texts are searched for. */
export function isHandle(text: string): boolean {
  return areHandles(text) || /^\s*\d+(?:\s*-\s*\d+)?\s*$/.test(text)
}

/** The handles in `#12 raw`, which asks for the raw output of a command; undefined for any other text. */
export function rawHandles(text: string): string | undefined {
  const handles = /^(.*\S)\s+raw\s*$/s.exec(text)?.[1]
  return handles !== undefined && isHandle(namedHandles(handles)?.handles ?? handles) ? handles : undefined
}

type FoundHit = Pick<Hit, 'seq' | 'tool' | 'at' | 'snippet'> & { readonly type: string; readonly role?: string }

/** The most hits that are shown: together they fit on a screen of 24 rows, so that the best is not scrolled away. */
export const SHOWN_HITS = 5
const ROW_CHARACTERS = 76

/** A found place in the log, with the lines around it, each on a row of its own. */
export function foundHit({ seq, type, role, tool, snippet }: FoundHit): RecallHit {
  const rows = snippet.split('\n').map((line) => oneLine(line, ROW_CHARACTERS))
  return {
    seq,
    type: [role ?? type, ...(tool === undefined ? [] : [tool])].join(', '),
    text: safeText(rows.join('\n')),
  }
}

/** The entries with some handles, and those that cannot be read. */
type Recalled = { readonly entries: readonly Entry[]; readonly damaged: readonly DamagedEntry[] }
type Read = (handles: string) => Promise<Recalled>

/** Entries by their handles. Each result is shown with its command. */
export async function entryHits(handles: string, read: Read): Promise<RecallHit[]> {
  const { entries, damaged } = await read(handles)
  const calls = callsIn([...(await readBefore(entries, read)), ...entries])
  const unread = damaged.map(({ seq, reason }) => ({ seq, type: 'damaged', text: `It cannot be read (${reason}).` }))
  return [...entries.map((entry) => entryHit(entry, calls)), ...unread].toSorted((a, b) => a.seq - b.seq)
}

/** A call is at most this many entries before its result, because the results of an answer follow it. */
const FARTHEST_CALL = 64

async function readBefore(entries: readonly Entry[], read: Read): Promise<readonly Entry[]> {
  const known = callsIn(entries)
  const alone = entries.find((entry) => resultIds(entry).some((id) => !known.has(id)))
  if (alone === undefined || alone.seq === 1) return []
  return (await read(`#${Math.max(1, alone.seq - FARTHEST_CALL)}-#${alone.seq - 1}`)).entries
}

type Calls = ReadonlyMap<string, ToolCallPart>

function callsIn(entries: readonly Entry[]): Calls {
  return new Map(entries.flatMap(callParts).map((call) => [call.toolCallId, call]))
}

function callParts(entry: Entry): ToolCallPart[] {
  if (entry.type !== 'message') return []
  return partsOf(entry.message).flatMap((part) => (part.type === 'tool-call' ? [part] : []))
}

function resultIds(entry: Entry): string[] {
  if (entry.type !== 'message') return []
  return partsOf(entry.message).flatMap((part) => (part.type === 'tool-result' ? [part.toolCallId] : []))
}

/** An entry verbatim, up to a limit. Its commands are not cut, because the user may want to know what ran. */
function entryHit(entry: Entry, calls: Calls): RecallHit {
  const type = entry.type === 'message' ? entry.message.role : entry.type
  const asked = resultIds(entry).flatMap((id) => calls.get(id) ?? [])
  const own = callParts(entry)
  const words = entry.type === 'message' ? textOf(entry.message) : ''
  const isOnlyCommands = own.length > 0 && own.every(({ input }) => commandLineIn(input) !== undefined)
  const rest = words === '' && !isOnlyCommands ? searchText(entry) : words
  const texts = [...asked.flatMap(commandText), shortened(safeText(rest)), ...own.flatMap(commandText)]
  return { seq: entry.seq, type, text: texts.filter((text) => text !== '').join('\n') }
}

function commandText({ toolName, input }: ToolCallPart): string[] {
  const command = commandLineIn(input)
  return command === undefined ? [] : [`${toolName} ${safeText(command)}`]
}

function shortened(text: string): string {
  return text.length > MOST_CHARACTERS ? `${text.slice(0, MOST_CHARACTERS)}\n…` : text
}
