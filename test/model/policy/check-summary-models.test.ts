import { expect, it } from 'vitest'
import { checkSummaryModels } from '../../../src/model/problems/check-arguments.ts'

it('a list of models that write summaries passes, and so does none', () => {
  checkSummaryModels(undefined)
  checkSummaryModels([{ name: 'my/model', stream: () => {} }])
})

it('anything else is one line that says what to do', () => {
  const refused = (models: unknown) => expect(() => checkSummaryModels(models))
  refused({ name: 'my/model' }).toThrow('summaryModels: is not a list: write [model]')
  refused([{ name: 'my/model' }]).toThrow('summaryModels.0: is not { name, stream }')
  refused([{ doStream() {} }]).toThrow('summaryModelOf() of pith/ai-sdk converts it')
  refused(['openai/gpt-5']).toThrow('summaryModels.0: is not { name, stream }')
})
