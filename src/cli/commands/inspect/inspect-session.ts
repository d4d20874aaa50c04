import { modelNamed } from '../../../models/registry.ts'
import { importedLog } from '../../../session/import/import-session.ts'
import { type Inspection, inspectLog } from '../../../study/inspect/inspect-log.ts'
import { print, printJson } from '../../output/show.ts'
import { screenWidth } from '../../output/terminal-text.ts'
import { measuredModel } from '../../sessions/measured-model.ts'
import { openSource, type SessionSource } from '../../sessions/session-source.ts'
import { knownModels, loadSetup } from '../../setup/setup.ts'
import type { InspectFlags } from './inspect.ts'
import { inspectionLines } from './inspection-lines.ts'

/** Prints the inspection of a session. */
export async function inspect(what: string, flags: InspectFlags): Promise<void> {
  const setup = loadSetup({})
  const source = await openSource(what, setup)
  const { session } = source
  const { model, guess } = measuredModel(source, flags, setup)
  const inspection = inspectLog(importedLog(session, knownModels(setup)), {
    model,
    fixed: { system: session.system.join('\n\n') },
    // No file has the prompt and the tools that an agent sends around its log.
    isFixedKnown: false,
    pricesOf: (name) =>
      (flags.model === undefined && name !== undefined ? modelNamed(setup.models.registry, name) : model).prices,
    largest: flags.json === true ? 20 : 5,
  })
  if (flags.json === true) return printJson(inspectionJson({ ...source, guess }, inspection))
  for (const line of inspectionLines({ ...source, model, guess }, inspection, screenWidth())) print(line)
}

function inspectionJson({ session, name, id, guess }: SessionSource, inspection: Inspection): object {
  const { format, agent, version, sessionId, title, workspace, startedAt, models, counts, issues, prompts } = session
  const about = {
    format,
    agent,
    version,
    id: id ?? sessionId,
    title,
    workspace,
    startedAt,
    models,
    counts,
    issues,
    prompts,
  }
  return { source: name, session: about, windowGuess: guess, ...inspection }
}
