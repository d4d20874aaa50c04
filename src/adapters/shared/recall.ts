import { z } from 'zod'
import type { Conversation } from '../../fit/state/conversation.ts'
import { fields } from '../../formats/shared/json.ts'
import { messageOf } from '../../model/problems/errors.ts'
import type { Entry } from '../../model/types.ts'
import { type DamagedEntry, hasSeq, missingText, readHandles } from '../../search/handles.ts'
import { MOST_HITS, type SearchResult, searchAnswer, searchLog } from '../../search/hits.ts'
import { type EntriesOptions, recallPage } from '../../session/search/search-session.ts'

export const recallSchema = z.object({
  handles: z.string().optional().describe('Entries by their handles: #12, several and ranges as #12, #15-#20'),
  search: z
    .string()
    .optional()
    .describe(
      'Words to find, in any order; the answer has handles. Narrow with "a phrase", file:upload.ts, tool:bash, role:user, is:error',
    ),
  offset: z.number().int().nonnegative().optional().describe('With one handle: the character to go on from'),
})
export type RecallInput = z.infer<typeof recallSchema>

const { handles, search, offset } = recallSchema.shape

/** The descriptions of the fields, for schemas as JSON. A zod schema would make the compiler compare two copies of zod's types, which takes minutes. */
export const RECALL_FIELDS = {
  handles: handles.description ?? '',
  search: search.description ?? '',
  offset: offset.description ?? '',
} as const

/** The arguments of a model's call, which may be anything. */
export function recallInput(input: unknown): RecallInput {
  const given = Object.entries(fields(input) ?? {}).filter(([, value]) => value !== null)
  const { success, data } = recallSchema.safeParse(Object.fromEntries(given))
  return success ? data : {}
}

export const RECALL_DESCRIPTION =
  'Gives back what was said or done earlier in this conversation, word for word, also what was compacted, masked or cut since. Give `handles` to read entries (#12), or `search` to find them.'
const PAGE_CHARACTERS = 12_000

/** Gives access to the entries of a conversation. */
export type RecallSource = {
  readonly entries: (handles: string, options?: EntriesOptions) => Promise<readonly Entry[]>
  readonly search: (text: string) => Promise<SearchResult>
}

/** The answer to a call of `recall`. An error is an answer, too, so that the model reads it. `unknown` is the answer without a source. */
export async function recallAnswer(
  source: RecallSource | undefined,
  { handles = '', search = '', offset = 0 }: RecallInput,
  unknown = 'Nothing is known of this conversation yet.',
): Promise<string> {
  if (source === undefined) return unknown
  try {
    if (handles.trim() !== '') return await entriesText(source, handles, offset)
    return search.trim() === '' ? 'Give handles or search.' : searchAnswer(search, await source.search(search))
  } catch (error) {
    return messageOf(error)
  }
}

async function entriesText(source: RecallSource, handles: string, offset: number): Promise<string> {
  let damaged: readonly DamagedEntry[] = []
  const entries = await source.entries(handles, { onBad: (rows) => (damaged = rows) })
  if (entries.length + damaged.length === 0) return `There is no entry ${handles}: find the handles with search.`
  const page = entries.length === 0 ? [] : [recallPage(entries, offset, PAGE_CHARACTERS)]
  return [...page, ...missingText(handles, entries, damaged)].join('\n\n')
}

/** The source for a conversation whose messages the caller keeps. */
export function recallFrom({ messages, seqs }: Pick<Conversation, 'messages' | 'seqs'>): RecallSource {
  const entries = messages.flatMap((message, i): Entry[] => {
    const seq = seqs[i] ?? 0
    return seq > 0 ? [{ type: 'message', id: `e${seq}`, seq, at: 0, message }] : []
  })
  return {
    async entries(handles) {
      const wanted = readHandles(handles)
      return entries.filter(({ seq }) => hasSeq(wanted, seq))
    },
    search: (text) => searchLog(entries, text, { limit: MOST_HITS }),
  }
}
