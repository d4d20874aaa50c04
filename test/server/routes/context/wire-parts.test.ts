import { expect, it } from 'vitest'
import { openContext } from '../../../../src/engine/context/open-context.ts'
import { partSizes } from '../../../../src/engine/report/context-parts.ts'
import { wireParts } from '../../../../src/server/routes/context/context-handlers.ts'
import { charactersByFour } from '../../../../src/tokens/estimate/estimator.ts'

it('the parts of a context go over HTTP by their names and add up to its tokens', () => {
  const context = openContext([], { fixed: { system: 'x'.repeat(400) }, estimator: charactersByFour })
  const parts = wireParts(partSizes(context), {
    status: { tokens: 100, source: 'estimate' },
    hidden: 0,
  })
  expect(parts).toMatchObject({ system: 100, tools: 0 })
  expect(Object.values(parts).reduce((sum, tokens) => sum + tokens, 0)).toBe(100)
})
