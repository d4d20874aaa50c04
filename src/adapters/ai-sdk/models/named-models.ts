import type { LanguageModel } from 'ai'
import { checkedList } from '../../../model/policy/check-summary-models.ts'
import type { SummaryModel } from '../../../model/types.ts'
import type { ContextOptions } from '../context/context-options.ts'
import { summaryModelOf } from './summary-model.ts'

type ModelOptions = Pick<ContextOptions, 'summaryModels' | 'summaryModel'>

/** The models that write summaries under these options: the conversation's own model if none is named. */
export function summaryModelsOf(options: ModelOptions, main: LanguageModel): readonly SummaryModel[] {
  return (namedModels(options) ?? [main]).map((model) =>
    typeof model === 'object' && 'stream' in model ? model : summaryModelOf(model),
  )
}

/** The models that the options name; undefined if the model of the call is to write the summaries. */
export function namedModels({ summaryModels, summaryModel }: ModelOptions): ModelOptions['summaryModels'] {
  checkedList(summaryModels)
  if (summaryModels !== undefined || summaryModel === undefined) return summaryModels
  return summaryModel === false ? [] : [summaryModel]
}
