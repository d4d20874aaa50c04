import { describe, expect, it } from 'vitest'
import { viewOf } from '../../../src/engine/context/view/view-of.ts'
import { indexDelta } from '../../../src/engine/extract/index-delta.ts'
import { mergeIndexes } from '../../../src/model/facts/log-index.ts'
import { type Entry, outputText, resultsOf } from '../../../src/model/types.ts'

const long = `${'head '.repeat(100)}${'middle '.repeat(1_000)}${'tail '.repeat(100)}`

const log: Entry[] = [
  { id: 'a', seq: 1, at: 0, type: 'message', message: { role: 'user', content: 'run it' } },
  {
    id: 'b',
    seq: 2,
    at: 0,
    type: 'message',
    message: {
      role: 'assistant',
      content: [{ type: 'tool-call', toolCallId: 'c', toolName: 'bash', input: { command: 'make' } }],
    },
  },
  {
    id: 'c',
    seq: 3,
    at: 0,
    type: 'message',
    shown: { head: 40, tail: 40 },
    files: [{ path: 'src/a.ts', access: 'modified', hash: 'h2' }],
    message: {
      role: 'tool',
      content: [{ type: 'tool-result', toolCallId: 'c', toolName: 'bash', output: { type: 'text', value: long } }],
    },
  },
]

describe('a message that is shown in part', () => {
  it('is in the view by its head and tail with a handle, and in the log whole', () => {
    const shown = outputText(
      resultsOf(viewOf(log).items.slice()[2]?.message ?? { role: 'user', content: '' })[0]?.output ?? {
        type: 'text',
        value: '',
      },
    )
    expect(shown.length).toBeLessThan(200)
    expect(shown).toMatch(/^head [\s\S]*recall #3[\s\S]*tail $/)
    expect(viewOf(log).revision).toBe(0)
  })
})

describe('the files that a tool saw', () => {
  it('are facts of the entry of its call, with the hash of what was seen last', () => {
    expect(indexDelta(viewOf(log).items.slice()).files).toContainEqual({
      path: 'src/a.ts',
      access: 'modified',
      hash: 'h2',
      seq: 2,
      modified: 2,
    })
  })

  it('keep the newest hash through later facts without one', () => {
    const file = { path: 'a.ts', access: 'read' as const }
    const merged = mergeIndexes([
      { files: [{ ...file, seq: 1, hash: 'old' }] },
      { files: [{ ...file, seq: 5, hash: 'new' }] },
      { files: [{ ...file, seq: 9 }] },
    ])
    expect(merged.files).toEqual([{ ...file, seq: 9, hash: 'new' }])
  })

  it('are listed once, however the argument of the call was written', () => {
    const asked: Entry[] = [
      {
        id: 'a',
        seq: 1,
        at: 0,
        type: 'message',
        message: {
          role: 'assistant',
          content: [{ type: 'tool-call', toolCallId: 'c', toolName: 'read', input: { path: './src/../src/a.ts' } }],
        },
      },
      {
        id: 'b',
        seq: 2,
        at: 0,
        type: 'message',
        files: [{ path: 'src/a.ts', access: 'read', hash: 'h' }],
        message: {
          role: 'tool',
          content: [{ type: 'tool-result', toolCallId: 'c', toolName: 'read', output: { type: 'text', value: 'x' } }],
        },
      },
    ]
    expect(indexDelta(viewOf(asked).items.slice()).files?.map(({ path }) => path)).toEqual(['src/a.ts'])
  })
})
