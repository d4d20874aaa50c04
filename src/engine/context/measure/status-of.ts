import type { Entry } from '../../../model/entry.ts'
import type { PolicyPatch } from '../../../model/policy/policy.ts'
import { policyOf } from '../../../model/policy/presets.ts'
import { type Status, type StatusInput, status } from '../../../tokens/status.ts'
import { viewOf } from '../view/view-of.ts'
import { estimatorOf } from './estimator-of.ts'

/**
 * How full the context of a log is, counted as `compact()` counts under the same policy.
 *
 * @example
 * ```ts
 * import { logOf, statusOf } from 'pith'
 *
 * const { tokens, percent } = statusOf(logOf(messages), { model: { contextWindow: 200_000 } })
 * console.log(`${tokens} tokens, ${percent} %`)
 * ```
 */
export function statusOf(
  log: readonly Entry[],
  input: Omit<StatusInput, 'view'> & { readonly policy?: PolicyPatch } = {},
): Status {
  const { policy, ...rest } = input
  return status({ estimator: estimatorOf(policyOf(policy), log, input.model), ...rest, view: viewOf(log) })
}
