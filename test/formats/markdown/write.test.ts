import { describe, expect, it } from 'vitest'
import { encode } from '../../../src/formats/index.ts'
import { ANSWERED, ASKED, compacted, decoded, fixedDeps, fixture } from '../fixture.ts'

describe('a hand-off', () => {
  it('has the record without the frame that speaks to a model, then the last messages', async () => {
    const { text } = encode(await compacted('claude-code.jsonl'), 'markdown', fixedDeps())
    expect(text).toMatch(/^# Hand-off\n\n- Folder: `\/repo`\n- Models: anthropic\/claude-opus-4-6\n\n## So far\n/)
    expect(text).toContain(ASKED)
    expect(text).not.toContain('<record-')
    expect(text).toContain('## The last messages')
    expect(text.trimEnd().endsWith(ANSWERED)).toBe(true)
  })

  it('leaves out what says nothing', () => {
    const said = [
      { role: 'user', content: 'Go.' },
      {
        role: 'assistant',
        content: [
          { type: 'text', text: ' \n' },
          { type: 'tool-call', toolCallId: 't1', toolName: 'bash', input: {} },
        ],
      },
    ]
    const { text } = encode(decoded(JSON.stringify(said), { format: 'ai-sdk' }), 'markdown', fixedDeps())
    expect(text).toMatch(/### User\n\nGo\.\n\n### Agent\n\nCalled `bash`:/)
  })

  it('fences results so that nothing inside can close the fence', () => {
    const session = decoded(fixture('ai-sdk.json').replace('export const port = 8080', '```\\n# Not a heading'))
    expect(encode(session, 'markdown', fixedDeps()).text).toContain('````\n```\n# Not a heading')
  })
})
