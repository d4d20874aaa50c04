import { existsSync } from 'node:fs'
import { compactNow } from '../../../agent/compaction/compact-now.ts'
import { openAgent } from '../../../agent/open/open-agent.ts'
import { unchangedText } from '../../../engine/report/outcome.ts'
import { noModel } from '../../../llm/open-model.ts'
import { PithError } from '../../../model/problems/errors.ts'
import { printable } from '../../../model/text.ts'
import type { SessionId } from '../../../store/store.ts'
import { type CompactedLog, type CompactLogInput, withoutModel } from '../../compaction/compact-log.ts'
import { note } from '../../output/show.ts'
import type { SessionSource } from '../../sessions/session-source.ts'
import { openNamedModel, type Setup, withStore } from '../../setup/setup.ts'

/** Compacts one of our own sessions as its agent would: with its prompt and tools, the user's hooks, and an entry in its log. */
export function compactOwn(
  setup: Setup,
  { session }: SessionSource,
  id: SessionId,
  { flags, writers, signal, onEvent }: Pick<CompactLogInput, 'flags' | 'writers' | 'signal' | 'onEvent'>,
): Promise<CompactedLog> {
  const { config, models, folders } = setup
  return withStore(setup, async (store) => {
    const opened = await openNamedModel(flags.model ?? config.settings.model, models)
    const isOffline = writers.models.length === 0
    const { agent } = await openAgent({
      store,
      session: id,
      model: isOffline ? noModel(writers.missing ?? 'no model is asked') : opened.model,
      models,
      settings: config.settings,
      workspace: existsSync(session.workspace ?? '') ? (session.workspace ?? '') : config.workspace,
      folders,
      onEvent: (event) => {
        if (event.type === 'compaction') onEvent(event.event)
        if (event.type === 'notice') note(printable(event.text))
      },
    })
    const policy = isOffline ? withoutModel(agent.policyPatch, agent.policy) : undefined
    const result = await compactNow(agent, { reason: 'manual', signal, focus: flags.focus, policy })
    if (result.outcome === 'refused') throw new PithError('not-allowed', unchangedText(result))
    return { result, before: session.entries, after: [...session.entries, ...result.entries], leftOut: 0 }
  })
}
