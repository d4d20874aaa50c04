import type { EntryDraft } from '../../../model/entry.ts'
import type { Services } from '../../sessions/services.ts'
import { policyFrom } from './policy-body.ts'

type Settings = { readonly model?: string | undefined; readonly policy?: Parameters<typeof policyFrom>[0] | undefined }

/** The entry that stores the chosen model and policy of a session; none when nothing was chosen. */
export function settingsDrafts({ models }: Services, { model, policy }: Settings): EntryDraft[] {
  if (model === undefined && policy === undefined) return []
  if (model !== undefined) models.check(model)
  return [{ type: 'settings', model, policy: policy === undefined ? undefined : policyFrom(policy) }]
}
