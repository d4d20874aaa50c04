import { text } from 'node:stream/consumers'
import { z } from 'zod'
import { loadConfig } from '../../../config/index.ts'
import { dataFolder } from '../../../config/places/folders.ts'
import { parsed } from '../../../formats/shared/json.ts'
import { MEMORY_GIVEN } from '../../../gateway/wrap/give-memory.ts'
import { hookAnswer, pageFor } from '../../memory/hook-page.ts'
import { startingPage, updateInBackground } from '../../memory/starting-page.ts'
import { writeExact } from '../../output/show.ts'
import type { StartFlags } from './memory.ts'

/** The part of an agent's words at its hooks that is read. Each agent says some of it. */
const hookSchema = z
  .object({
    session_id: z.string(),
    sessionId: z.string(),
    source: z.string(),
    cwd: z.string(),
    transcript_path: z.string(),
    agent_id: z.string(),
  })
  .partial()

/**
 * Prints the last finished page for a session that begins, in the form that the hook of an agent expects. Nothing is built, so
 * the agent does not wait for that. Whatever goes wrong, it sees success and no output.
 */
export async function startMemory(flags: StartFlags): Promise<void> {
  try {
    // `pith wrap` gives it in its own way and makes the next one: the hook of `pith setup` must not give it again.
    if (process.env[MEMORY_GIVEN] !== undefined && flags.given !== true) return
    const agent = flags.for
    const input = agent === undefined ? {} : hookSchema.parse(parsed(await text(process.stdin)))
    const here = { config: loadConfig({ cwd: input.cwd ?? process.cwd() }), folders: { data: dataFolder() } }
    const page =
      agent === undefined
        ? startingPage(here)
        : pageFor(agent, { ...input, id: input.session_id ?? input.sessionId }, here)
    if (page !== undefined) writeExact(agent === undefined ? `${page}\n` : hookAnswer(agent, page))
    if (flags.given !== true) updateInBackground(here)
  } catch {}
}
