import { z } from 'zod'
import { type Entry, partsOf } from '../../../model/types.ts'
import { type DamagedEntry, missingText, namedHandles } from '../../../search/handles.ts'
import { searchAnswer } from '../../../search/hits.ts'
import { recallPage } from '../../../session/search/search-session.ts'
import { answerRoom } from '../../shown-part.ts'
import { defineTool, refused, type Tool, type ToolContext, type ToolImage, type ToolOutput } from '../../tool.ts'

const RECALL_TOOL_DESCRIPTION = `Gives back what was said or done earlier in this session, word for word, also what has been summarised, masked or shortened since, and what sub-agents did.

- \`handles\`: entries by their handles: \`#12\`, or \`#12, #15-#20\`; \`task-1#3\` of a sub-agent.
- \`search\`: words in any order, best hits first; "a phrase", file:a.ts, tool:bash, role:user, is:error.
- \`raw\`: with handles, the output of a command as it came, with control characters as signs (␛, ␍), if its entry names raw output.
- Give handles or search. Of a long entry the answer shows a part and says which \`offset\` shows the next.`

const inputSchema = z
  .strictObject({
    handles: z.string().min(1).optional().describe('Handles such as #12, or a range #12-#20'),
    search: z.string().min(1).optional().describe('Words to look for'),
    raw: z.boolean().optional().describe('With handles: the raw output of a command'),
    offset: z.number().int().nonnegative().optional().describe('With one handle: the character to go on from'),
  })
  .refine(({ handles, search }) => (handles === undefined) !== (search === undefined), 'give either handles or search')
type Input = z.infer<typeof inputSchema>

const MOST_IMAGES = 4

/** Returns masked or compacted entries verbatim, or finds entries by a text. */
export const recallFromLog: Tool = defineTool<Input>({
  name: 'recall',
  description: RECALL_TOOL_DESCRIPTION,
  input: inputSchema,
  parallel: true,
  permission: async () => undefined,
  run: async ({ handles, search, offset, raw }, context) =>
    handles === undefined ? hits(search ?? '', context) : entries(handles, { offset, raw }, context),
})

async function entries(
  handles: string,
  { offset = 0, raw }: Pick<Input, 'offset' | 'raw'>,
  context: ToolContext,
): Promise<ToolOutput> {
  let damaged: readonly DamagedEntry[] = []
  const found = await context.recall.entries(handles, { raw, onBad: (rows) => (damaged = rows) })
  if (found.length + damaged.length === 0)
    return refused(`No entries ${handles} in this session: find their handles with search`)
  const images = found.flatMap(imagesIn).slice(0, MOST_IMAGES)
  const { session: name, handles: own } = namedHandles(handles) ?? { session: '', handles }
  const missing = missingText(own, found, damaged)
  if (found.length === 0) return refused(missing.join('\n'))
  const text = [recallPage(found, offset, answerRoom(context), name), ...missing].join('\n\n')
  return { text, ...(images.length === 0 ? {} : { images }) }
}

async function hits(text: string, { recall }: ToolContext): Promise<ToolOutput> {
  const found = await recall.search(text)
  return { text: searchAnswer(text, found, found.nameOf) }
}

/** The images of an entry whose bytes the log has. */
function imagesIn(entry: Entry): ToolImage[] {
  if (entry.type !== 'message') return []
  return partsOf(entry.message).flatMap((part) => {
    if (part.type === 'image')
      return typeof part.image === 'string' ? [{ data: part.image, mediaType: part.mediaType ?? 'image/png' }] : []
    if (part.type !== 'tool-result' || part.output.type !== 'content') return []
    return part.output.value.flatMap((content) =>
      content.type === 'image-data' ? [{ data: content.data, mediaType: content.mediaType }] : [],
    )
  })
}
