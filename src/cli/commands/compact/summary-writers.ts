import { summaryModelsFor } from '../../../llm/summary-models-for.ts'
import { PithError } from '../../../model/errors.ts'
import type { PolicyPatch } from '../../../model/policy.ts'
import { policyOf } from '../../../model/presets.ts'
import type { SummaryModel } from '../../../model/summary-model.ts'
import { openNamedModel } from '../../setup/named-model.ts'
import type { Setup } from '../../setup/setup.ts'

/** Who writes the summary; nobody, with the reason, where a digest has to do. */
export type SummaryWriters = { readonly models: readonly SummaryModel[]; readonly missing?: string }

/** The models for a policy's summaries. A model that was named has to be there; one that was only hoped for need not. */
export async function summaryWriters(
  { config, models }: Setup,
  wanted: { readonly model?: string; readonly offline?: true },
): Promise<SummaryWriters> {
  if (wanted.offline === true) return { models: [] }
  const { model, missing } = await openNamedModel(wanted.model ?? config.settings.model, models)
  if (missing === undefined) return summaryModelsFor(policyOf(config.settings.policy).summaryModel, model, models)
  if (wanted.model !== undefined) throw new PithError('no-model', missing)
  return { models: [], missing }
}

/** The policy for when no model can be asked: what the policy would leave to one, a digest does. */
export function withoutModel(policy: PolicyPatch): PolicyPatch {
  const own = policyOf(policy).rungs.filter((rung) => rung !== 'warm' && rung !== 'cold')
  return { ...policy, rungs: own.includes('digest') ? own : [...own, 'digest'] }
}
