import { describe, expect, it } from 'vitest'
import { fromAnthropic, toAnthropic } from '../../../src/formats/index.ts'

describe('a message of the Anthropic API', () => {
  it('has no words from a text block without its text, which comes back as it was', () => {
    const list = [{ role: 'user', content: [{ type: 'text' }, { type: 'text', text: 'Look.' }] }]
    const read = fromAnthropic(list)
    expect(JSON.stringify(read)).not.toContain('undefined')
    expect(read).toMatchObject([{ role: 'user', content: [{}, { type: 'text', text: 'Look.' }] }])
    expect(toAnthropic(read).messages).toEqual(list)
  })
})
