import { type OpenModelDeps, openModel } from '../../llm/open-model.ts'
import { UsageError } from '../process/usage-error.ts'

/** Refuses a model that a flag names and that nothing here knows. A known one without a key is not an error of the command line. */
export function refuseUnknownModel(name: string | undefined, models: OpenModelDeps): void {
  const opened = name === undefined ? undefined : openModel(name, models)
  if (opened === undefined || !('unusable' in opened)) return
  if (opened.unusable === 'unknown-model' || opened.unusable === 'unknown-provider')
    throw new UsageError('unknown-model', opened.text)
}
