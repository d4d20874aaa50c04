import { z } from 'zod'
import { statusOf } from '../../engine/measure/status-of.ts'
import { decode, formatNamed } from '../../formats/index.ts'
import { modelNamed } from '../setup/named-model.ts'
import type { Setup } from '../setup/setup.ts'
import { asItsAgentUsedIt } from './agent-window.ts'
import type { SessionFile } from './session-file.ts'

/** What a list says of a session. */
export type SessionFacts = z.infer<typeof sessionFactsSchema>
export const sessionFactsSchema = z.object({
  title: z.string().optional(),
  workspace: z.string().optional(),
  model: z.string().optional(),
  messages: z.number(),
  compactions: z.number(),
  tokens: z.number(),
  /** Where it is another than the model's, which may be known better tomorrow. */
  window: z.number().optional(),
})

/** Why a file could not be read. */
export const unreadableSchema = z.object({ unreadable: z.string() })
export type Unreadable = z.infer<typeof unreadableSchema>

/** Reads a session of another agent for what a list says of it. It never throws over what it reads. */
export async function factsOfFile(file: SessionFile, setup: Setup): Promise<SessionFacts | Unreadable> {
  try {
    const read = await decode(file.read())
    if (!read.ok) return { unreadable: read.text }
    const { session } = read
    const model = session.models.findLast((name) => !name.includes('<'))
    const own = modelNamed(setup, model)
    const info = asItsAgentUsedIt(session, own)
    const { tokens } = statusOf(session.entries, { model: info })
    const { title, workspace } = session
    return {
      ...(title === undefined ? {} : { title }),
      ...(workspace === undefined ? {} : { workspace }),
      ...(model === undefined ? {} : { model }),
      ...(info.contextWindow === undefined || info === own ? {} : { window: info.contextWindow }),
      messages: session.counts.messages,
      compactions: session.compactions.length,
      tokens,
    }
  } catch (error) {
    return {
      unreadable: `${formatNamed(file.format).label}: ${error instanceof Error ? error.message : String(error)}`,
    }
  }
}
