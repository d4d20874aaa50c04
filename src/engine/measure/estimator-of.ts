import type { Entry } from '../../model/entry.ts'
import { type ModelInfo, modelName } from '../../model/model-info.ts'
import type { Policy } from '../../model/policy.ts'
import { calibrated } from '../../tokens/calibrate.ts'
import { charactersByFour, type Estimator } from '../../tokens/estimate/estimate.ts'
import { featureEstimator } from '../../tokens/estimate/feature-estimator.ts'
import { calibrationOf } from './calibration.ts'

/** What a policy counts with: the default one knows kinds of text and learns from the provider, the presets divide by four. */
export function estimatorOf(
  policy: Pick<Policy, 'preset'>,
  log: readonly Entry[] = [],
  model: Partial<ModelInfo> = {},
): Estimator {
  if (policy.preset !== 'pith') return charactersByFour
  const { provider, model: name } = model
  const asked = provider === undefined || name === undefined ? undefined : modelName({ provider, model: name })
  return calibrated(featureEstimator, calibrationOf(log, asked, featureEstimator))
}
