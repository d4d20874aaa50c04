import { z } from 'zod'
import { statusOf } from '../../engine/context/status-of.ts'
import { decode, formatNamed } from '../../formats/index.ts'
import { modelNamed } from '../../models/registry.ts'
import { agentTitle } from '../../session/import/agent-title.ts'
import { importedLog } from '../../session/import/imported-log.ts'
import { ownModel } from '../../session/import/own-model.ts'
import { knownModels, type Setup } from '../setup/setup.ts'
import type { SessionFile } from './session-file.ts'

/** The facts of a session that a list shows. */
export type SessionFacts = z.infer<typeof sessionFactsSchema>
export const sessionFactsSchema = z.object({
  title: z.string().optional(),
  workspace: z.string().optional(),
  model: z.string().optional(),
  messages: z.number(),
  compactions: z.number(),
  tokens: z.number(),
  /** Only where it is not the model's own, which the registry may know better tomorrow. */
  window: z.number().optional(),
  /** The file shows that the window was another than the model's, but does not say which. */
  isWindowGuess: z.literal(true).optional(),
})

/** A file that could not be read, and why. */
export type UnreadableFile = z.infer<typeof unreadableFileSchema>
export const unreadableFileSchema = z.object({ unreadable: z.string() })

/** Reads a session of another agent for the facts that a list shows. It never throws over what it reads. */
export async function factsOfFile(file: SessionFile, setup: Setup): Promise<SessionFacts | UnreadableFile> {
  try {
    const read = await decode(file.read())
    if (!read.ok) return { unreadable: read.text }
    const { session } = read
    const log = importedLog(session, knownModels(setup))
    const { name: model, info, guess } = ownModel(log, setup.models.registry)
    const { tokens } = statusOf(log, { model: info, fixed: { system: session.system.join('\n\n') } })
    const { workspace } = session
    return {
      title: agentTitle(session),
      workspace,
      model,
      window:
        info.contextWindow === modelNamed(setup.models.registry, model).contextWindow ? undefined : info.contextWindow,
      isWindowGuess: guess === undefined ? undefined : true,
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
