import type { Drift, View } from '../../../model/types.ts'
import type { Status } from '../../../tokens/status.ts'

/**
 * The ratio of the provider's count of a view to our own estimate, if the provider has counted. Without it a change of the
 * view would look like a gain.
 */
export function driftOf(view: View, { tokens, source }: Status, estimated: number): Drift | undefined {
  return source === 'provider' ? { factor: tokens / Math.max(1, estimated), model: view.anchor?.model } : view.drift
}
