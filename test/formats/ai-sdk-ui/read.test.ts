import { expect, it } from 'vitest'
import { fromUIMessages } from '../../../src/formats/index.ts'
import { fixture } from '../fixture.ts'

it('UI messages of the AI SDK become steps with their results', () => {
  const roles = fromUIMessages(JSON.parse(fixture('ai-sdk-ui.json'))).map((message) => message.role)
  expect(roles).toEqual(['user', 'assistant', 'tool', 'assistant', 'tool', 'assistant'])
})
