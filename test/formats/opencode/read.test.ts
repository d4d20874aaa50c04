import { describe, expect, it } from 'vitest'
import { messagesOf, viewOf } from '../../../src/engine/index.ts'
import { textOf } from '../../../src/model/message.ts'
import { decoded, fixture } from '../fixture.ts'

describe('an export of opencode', () => {
  const session = decoded(fixture('opencode.json'))

  it('shows results that the agent no longer sends as masked', () => {
    const long = 'a long line of a file\\n'.repeat(100)
    const { entries } = decoded(fixture('opencode.json').replace('export const port = 8080\\n', long))
    expect(JSON.stringify(messagesOf(viewOf(entries)))).not.toContain('a long line of a file')
    expect(JSON.stringify(entries)).toContain('a long line of a file')
  })

  it('tells title, folder, model and usage', () => {
    expect(session).toMatchObject({ title: 'The port', workspace: '/repo', models: ['openai/gpt-5.3-codex'] })
    const [, answer] = session.entries
    expect(answer?.type === 'message' && answer.usage).toMatchObject({ inputTokens: 1_200, outputTokens: 60 })
  })

  it('goes on from its own summary', () => {
    const document = JSON.parse(fixture('opencode.json'))
    const info = (id: string, role: string, more = {}) => ({ id, role, time: { created: 1_772_359_240_000 }, ...more })
    document.messages.push(
      { info: info('msg_4', 'user'), parts: [{ type: 'compaction', auto: true }] },
      { info: info('msg_5', 'assistant', { summary: true }), parts: [{ type: 'text', text: 'The port is 8081 now.' }] },
      { info: info('msg_6', 'user'), parts: [{ type: 'text', text: 'Fix the test too.' }] },
    )
    const compacted = decoded(JSON.stringify(document))
    expect(messagesOf(viewOf(compacted.entries)).map(textOf)).toEqual(['The port is 8081 now.', 'Fix the test too.'])
    expect(compacted.compactions).toMatchObject([{ trigger: 'auto' }])
  })
})
