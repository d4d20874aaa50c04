import { describe, expect, it } from 'vitest'
import { messagesOf, viewOf } from '../../../src/engine/index.ts'
import { textOf } from '../../../src/model/message.ts'
import { decoded, fixture } from '../fixture.ts'

const viewWords = (name: string) => messagesOf(viewOf(decoded(fixture(name)).entries)).map(textOf)

describe('a session of Copilot CLI', () => {
  it('keeps sub-agents apart', () => {
    const session = decoded(fixture('copilot.jsonl'))
    expect(session.sidechains).toMatchObject([{ id: 't4' }])
    expect(viewWords('copilot.jsonl')).not.toContain('Find the callers.')
  })

  it('goes on from its own summary', () => {
    expect(viewWords('copilot-compacted.jsonl')).toEqual(['The port is 8081 now.', 'Fix the test too.'])
  })
})
