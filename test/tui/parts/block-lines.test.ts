import { stripVTControlCharacters } from 'node:util'
import { visibleWidth } from '@earendil-works/pi-tui/dist/utils.js'
import { describe, expect, it } from 'vitest'
import { appended } from '../../../src/engine/context/view/log.ts'
import { blockLines } from '../../../src/tui/parts/block-lines.ts'
import { loadMarkdown, NO_LIMIT } from '../../../src/tui/parts/markdown.ts'
import { themeOf } from '../../../src/tui/parts/theme.ts'
import { line, table } from '../../../src/tui/port/port.ts'
import { blocksOf } from '../../../src/tui/state/apply-entry.ts'

const look = { width: 80, theme: themeOf('none'), unfolded: false, budget: NO_LIMIT, chunks: new Map() }

describe('the transcript', () => {
  it('names the entry that each message and each result is, so that commands can be given it', async () => {
    await loadMarkdown()
    const call = { toolCallId: 'a', toolName: 'bash' }
    const result = { ...call, type: 'tool-result', output: { type: 'text', value: 'two\nlines' } } as const
    const log = appended(
      [],
      [
        { type: 'message', message: { role: 'user', content: 'Go.' } },
        {
          type: 'message',
          message: {
            role: 'assistant',
            content: [
              { type: 'text', text: 'I *go* now and this is a line that leaves no room' },
              { ...call, type: 'tool-call', input: { command: 'ls' } },
            ],
          },
        },
        { type: 'message', message: { role: 'tool', content: [result] } },
        { type: 'message', message: { role: 'assistant', content: 'Gone.\n\n```\nx = 1\n```' } },
      ],
    )
    const narrow = { ...look, width: 52 }
    expect(
      blocksOf([...log]).flatMap((block) =>
        blockLines(block, narrow).map((line) => stripVTControlCharacters(line).trimEnd()),
      ),
    ).toEqual([
      '› Go.  #1',
      '  I go now and this is a line that leaves no room',
      '  #2',
      '● bash ls · #3 · 2 lines, 9 bytes',
      '  two',
      '  lines',
      '  Gone.',
      '',
      '    x = 1  #4',
    ])
  })

  it('draws deeper headings without their marks, and says where the rest of a record is', async () => {
    await loadMarkdown()
    const block = {
      kind: 'compaction',
      seq: 3,
      rung: 'digest',
      messagesRemoved: 2,
      tokensBefore: 9,
      tokensAfter: 5,
      how: 'digest, without a model',
      summary: '## Current state\n### Checks\n- `npm test` passed',
    } as const
    const drawn = blockLines(block, { ...look, unfolded: true }).map((each) => stripVTControlCharacters(each).trim())
    expect(drawn).toContain('│ Checks')
    expect(drawn.join('\n')).not.toContain('###')
    expect(drawn.at(-1)).toBe('/summary shows the whole record, with its facts')
  })

  it('breaks a long word of a panel without a space in it, and continues the last cell of a row below itself', () => {
    const path = `/home/me/${'deep/'.repeat(10)}`
    const lines = [line(`in ${path}`), ...table([[['name'], ['what it does, in more words than fit']]])]
    const drawn = blockLines({ kind: 'panel', lines }, { ...look, width: 30 })
    expect(drawn.slice(0, 4).join('').replace(/\s/g, '')).toContain(path)
    expect(drawn).toEqual([
      '  in',
      '    /home/me/deep/deep/deep/de',
      '    ep/deep/deep/deep/deep/dee',
      '    p/deep/',
      '  name  what it does, in more',
      '        words than fit',
    ])
    for (const each of drawn) expect(visibleWidth(each)).toBeLessThanOrEqual(30)
  })

  it('keeps the columns of a table whose first one is wide while the last has room to be read', () => {
    const rows = table([[['/mcp [name | restart name | trust]'], ['List MCP servers: state, tools, errors']]])
    expect(blockLines({ kind: 'panel', lines: rows }, { ...look, width: 60 })).toEqual([
      '  /mcp [name | restart name | trust]  List MCP servers:',
      '                                      state, tools, errors',
    ])
  })

  it('says of a mask that old tool output was masked, and not that messages were compacted', () => {
    const log = appended([], [{ type: 'mask', targets: [2, 4], tokensBefore: 5_000, tokensAfter: 1_200 }])
    expect(blocksOf([...log]).flatMap((block) => blockLines(block, look))).toEqual([
      '  Context compacted.',
      '  ✓ Masked old tool output',
      '    Tokens: 5000 → 1200 (saved 3800)',
      '    2 tool results, without a model',
    ])
  })

  it('says of a digest why no summary of a model was taken, also when the session is opened again', () => {
    const before = appended([], [{ type: 'message', message: { role: 'user', content: 'Go.' } }])
    const log = appended(before, [
      {
        type: 'compaction',
        from: 1,
        upTo: 1,
        keep: [],
        summary: 'It went.',
        frame: 'pith',
        indexDelta: {},
        messages: 1,
        reason: 'manual',
        rung: 'digest',
        refusal: 'the answer is far too short',
        tokensBefore: 5_000,
        tokensAfter: 1_200,
      },
    ])
    const lines = blocksOf([...log]).flatMap((block) => blockLines(block, look))
    expect(lines).toContain('    No summary by a model: the answer is far too short')
  })
})
