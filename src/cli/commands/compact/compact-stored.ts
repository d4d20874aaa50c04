import { existsSync } from 'node:fs'
import { type CompactNowResult, compactNow } from '../../../agent/compaction/compact-now.ts'
import { openAgent } from '../../../agent/open-agent.ts'
import { noModel } from '../../../llm/no-model.ts'
import type { CompactEvent } from '../../../model/compact-event.ts'
import type { SessionId } from '../../../store/store.ts'
import { openNamedModel } from '../../setup/named-model.ts'
import { type Setup, withStore } from '../../setup/setup.ts'
import type { CompactFlags } from './compact.ts'
import { type SummaryWriters, withoutModel } from './summary-writers.ts'

export type CompactStoredInput = {
  readonly flags: CompactFlags
  readonly writers: SummaryWriters
  readonly workspace: string | undefined
  readonly signal: AbortSignal
  readonly onEvent: (event: CompactEvent) => void
}

/** Compacts one of our own sessions as its agent would: with its prompt and tools, the user's hooks, and an entry in its log. */
export function compactStored(setup: Setup, id: SessionId, input: CompactStoredInput): Promise<CompactNowResult> {
  const { config, models, folders } = setup
  const { flags, writers, workspace, signal, onEvent } = input
  return withStore(setup, async (store) => {
    const opened = await openNamedModel(flags.model ?? config.settings.model, models)
    const { agent } = await openAgent({
      store,
      session: id,
      model: writers.models.length === 0 ? noModel(writers.missing ?? 'no model is asked') : opened.model,
      models,
      settings: config.settings,
      workspace: workspace !== undefined && existsSync(workspace) ? workspace : config.workspace,
      folders,
      onEvent: (event) => event.type === 'compaction' && onEvent(event.event),
    })
    const policy = writers.models.length === 0 ? { policy: withoutModel(agent.policyPatch) } : {}
    const focus = flags.focus === undefined ? {} : { focus: flags.focus }
    return compactNow(agent, { reason: 'manual', signal, ...focus, ...policy })
  })
}
