import type { SessionFinder } from '../../mcp/found-session.ts'
import { recallTool } from '../../mcp/recall-tool.ts'
import { parse } from '../../model/problems/parse.ts'
import type { Entry } from '../../model/types.ts'
import { NOTHING_FOUND } from '../../search/hits.ts'

/** The session that an agent is in. `log` reads its current state. */
type SessionInUse = {
  readonly id: string
  readonly agent: string
  readonly log: () => Promise<readonly Entry[]>
}

/** Answers the tool `recall` from the session that its agent is in. */
export async function recallInLog(input: unknown, { id, agent, log }: SessionInUse): Promise<string> {
  const read = async () => ({ entries: await log(), model: {}, system: '' })
  const session = { id, agent, read, record: async () => undefined }
  const finder: SessionFinder = {
    current: async () => ({ session, why: 'this one' }),
    named: async () => undefined,
    search: async () => ({ ...NOTHING_FOUND, sessions: new Map() }),
  }
  return recallTool.run(parse(recallTool.input, input, { what: 'recall', code: 'bad-argument' }), {
    finder,
    signal: new AbortController().signal,
    progress: async () => undefined,
    clock: Date.now,
  })
}
