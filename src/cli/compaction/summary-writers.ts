import { summaryModelsFor } from '../../llm/summary-models-for.ts'
import type { Policy, PolicyPatch } from '../../model/policy/policy.ts'
import { PithError } from '../../model/problems/errors.ts'
import type { SummaryModel } from '../../model/types.ts'
import { openNamedModel } from '../setup/named-model.ts'
import { refuseUnknownModel, type Setup } from '../setup/setup.ts'

/** The models that write the summary. Without any, `missing` says why it will be a digest. */
export type SummaryWriters = { readonly models: readonly SummaryModel[]; readonly missing?: string }

/** The models for a policy's summaries. It is an error only when a model that the user named cannot be used. */
export async function summaryWriters(
  { config, models }: Setup,
  wanted: { readonly model?: string; readonly offline?: true },
): Promise<SummaryWriters> {
  refuseUnknownModel(wanted.model, models)
  if (wanted.offline === true) return { models: [] }
  const { model, missing } = await openNamedModel(wanted.model ?? config.settings.model, models)
  if (missing === undefined) return summaryModelsFor(config.policy.summaryModel, model, models)
  if (wanted.model !== undefined) throw new PithError('no-model', missing)
  return { models: [], missing }
}

/** A policy's settings for a compaction without models: a digest takes the place of the rungs that ask one. */
export function withoutModel(patch: PolicyPatch, { rungs }: Pick<Policy, 'rungs'>): PolicyPatch {
  const own = rungs.filter((rung) => rung !== 'warm' && rung !== 'cold')
  return { ...patch, rungs: own.includes('digest') ? own : [...own, 'digest'] }
}
