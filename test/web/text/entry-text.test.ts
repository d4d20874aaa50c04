import { describe, expect, it } from 'vitest'
import { entryBlocks, entryPreview } from '../../../web/text/entry-text.ts'

describe('an entry', () => {
  const at = { id: 'e', seq: 3, at: 0, place: 'whole' as const }

  it('with a call says its arguments in a few words on one line, and all of them in its blocks', () => {
    const content = [
      { type: 'text', text: 'I look.' },
      { type: 'tool-call', toolCallId: '1', toolName: 'grep', input: { pattern: 'x', path: 'src', deep: true } },
    ]
    const entry = { ...at, type: 'message' as const, message: { role: 'assistant', content } }
    expect(entryPreview(entry)).toBe('I look.  → grep x in src')
    expect(entryBlocks(entry)[1]?.text).toContain('"deep": true')
  })

  it('with a result says what its call was about', () => {
    const output = { type: 'text', value: 'export const a = 1' }
    const content = [{ type: 'tool-result', toolCallId: '1', toolName: 'Read', output }]
    const entry = { ...at, type: 'message' as const, about: { 1: 'src/a.ts' }, message: { role: 'tool', content } }
    expect(entryPreview(entry)).toBe('← Read src/a.ts export const a = 1')
    expect(entryBlocks(entry)[0]?.label).toBe('← Read src/a.ts')
  })

  it('with the sizes of tools says how many there are, and their names', () => {
    const tools = [
      { name: 'Bash', tokens: 1_200 },
      { name: 'mcp__pith__recall', server: 'pith', tokens: 300 },
    ]
    const entry = { ...at, type: 'settings' as const, tools }
    expect(entryPreview(entry)).toBe('2 tools in each request from here, 1,500 tokens: Bash, mcp__pith__recall')
    const prompt = [{ title: 'Tone', tokens: 1_200 }]
    expect(entryPreview({ ...at, type: 'settings' as const, prompt })).toBe(
      'A system prompt of 1,200 tokens in each request from here',
    )
  })

  it('that made the context larger says so', () => {
    const entry = { ...at, type: 'compaction' as const, messages: 2, tokens_before: 300, tokens_after: 2_784 }
    expect(entryPreview(entry)).toBe('Compacted 2 messages · 300 → 2,784 tokens, the context grew by 2,484 tokens')
  })

  it('of every type has words for what it did', () => {
    const sized = { tokens_before: 1200, tokens_after: 300 }
    const said = [
      { ...at, type: 'compaction' as const, messages: 2, ...sized },
      { ...at, type: 'mask' as const, targets: [1], ...sized },
      { ...at, type: 'undo' as const, of: 2 },
      { ...at, type: 'attempt' as const, outcome: 'failed', reason: 'no model' },
      { ...at, type: 'settings' as const, origin: { agent: 'Codex', version: '0.1', system: 'You are' } },
    ].map(entryPreview)
    expect(said).toEqual([
      'Compacted 2 messages · 1,200 → 300 tokens',
      'Masked old tool output · 1,200 → 300 tokens',
      '#2 was taken back.',
      'Compaction failed: no model',
      'Imported from Codex 0.1',
    ])
  })
})
