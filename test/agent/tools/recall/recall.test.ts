import { describe, expect, it } from 'vitest'
import type { ToolContext } from '../../../../src/agent/tool.ts'
import { recallFromLog } from '../../../../src/agent/tools/recall/recall.ts'
import { todo } from '../../../../src/agent/tools/todo/todo.ts'
import { PithError } from '../../../../src/model/problems/errors.ts'
import type { Entry, Message } from '../../../../src/model/types.ts'
import { NOTHING_FOUND } from '../../../../src/search/hits.ts'
import { call, result, user } from '../../../support/messages.ts'
import { TestWorkspace } from '../support.ts'

function entry(seq: number, message: Message): Entry {
  return { id: `e${seq}`, seq, at: 0, type: 'message', message }
}

function recalling(entries: readonly Entry[]): Partial<ToolContext> {
  return { recall: { entries: async () => entries, search: async () => NOTHING_FOUND } }
}

describe('recall', () => {
  it('names an entry that cannot be read, alone and among others', async () => {
    const space = new TestWorkspace()
    const damaged = (entries: readonly Entry[]): Partial<ToolContext> => ({
      recall: {
        entries: async (_, options) => {
          options?.onBad?.([{ seq: 4, id: 'e4', reason: 'no JSON' }])
          return entries
        },
        search: async () => NOTHING_FOUND,
      },
    })
    const text = 'Entry #4 is damaged and cannot be read (no JSON).'
    expect(await space.outputOf(recallFromLog, { handles: '#4' }, damaged([]))).toBe(text)
    expect(await space.outputOf(recallFromLog, { handles: '#3-#4' }, damaged([entry(3, user('Go.'))]))).toBe(
      `#3 (user)\n[User]: Go.\n\n${text}`,
    )
  })

  it('gives entries back word for word, calls and results too', async () => {
    const space = new TestWorkspace()
    const entries = [
      entry(1, user('Mind the gap.\n  Twice.')),
      entry(2, call('c1', 'bash', { command: 'make' })),
      entry(3, result('c1', 'all\ngood', 'bash')),
    ]
    expect(await space.outputOf(recallFromLog, { handles: '#1-#3' }, recalling(entries))).toBe(
      [
        '#1 (user)\n[User]: Mind the gap.\n  Twice.',
        '#2 (assistant)\n[Tool call: bash({"command":"make"})]',
        '#3 (tool)\n[Tool result]: all\ngood',
      ].join('\n\n'),
    )
  })

  it('shows a long entry page by page: together they are all of it', async () => {
    const space = new TestWorkspace()
    const said = Array.from({ length: 9_000 }, (_, i) => `word ${i} 😀`).join(' ')
    let seen = ''
    for (let offset: number | undefined = 0; offset !== undefined; ) {
      const page = await space.outputOf(
        recallFromLog,
        { handles: '#7', offset },
        { ...recalling([entry(7, user(said))]), shownCharacters: 6_400 },
      )
      expect(page.length).toBeLessThanOrEqual(6_400)
      seen += page.replace(/^#7 \(user\)\n/, '').replace(/\n\n\(\d+ characters of #7 follow.*$/, '')
      const next: string | undefined = /alone with offset (\d+)\)$/.exec(page)?.[1]
      offset = next === undefined ? undefined : Number(next)
    }
    expect(seen).toBe(`[User]: ${said}`)
  })

  it('brings the images that an entry has, at most four', async () => {
    const space = new TestWorkspace()
    const image = (data: string, mediaType?: string) => ({ type: 'image' as const, image: data, mediaType })
    const said = entry(1, {
      role: 'user',
      content: [{ type: 'text', text: 'see' }, image('AA', 'image/gif'), image('BB')],
    })
    const shown = entry(2, {
      role: 'tool',
      content: [
        {
          type: 'tool-result',
          toolCallId: 'c',
          toolName: 'read',
          output: {
            type: 'content',
            value: [
              { type: 'text', text: 'shot' },
              { type: 'image-data', data: 'CC', mediaType: 'image/webp' },
            ],
          },
        },
      ],
    })
    const recalled = async (...entries: Entry[]) =>
      (await space.call(recallFromLog, { handles: '#1-#2' }, recalling(entries))).output.images
    expect(await recalled(said, shown)).toEqual([
      { data: 'AA', mediaType: 'image/gif' },
      { data: 'BB', mediaType: 'image/png' },
      { data: 'CC', mediaType: 'image/webp' },
    ])
    expect(await recalled(said, said, said)).toHaveLength(4)
    expect(await recalled(entry(1, user('no image')))).toBeUndefined()
  })

  it('names the entries that did not fit', async () => {
    const space = new TestWorkspace()
    const entries = [1, 2, 3].map((seq) => entry(seq, user('x'.repeat(20_000))))
    const text = await space.outputOf(recallFromLog, { handles: '#1-#3' }, recalling(entries))
    expect(text.length).toBeLessThan(21_000)
    expect(text).toMatch(/\n\n\(Not shown: #2, #3\. Recall them by themselves\.\)$/)
  })

  it('finds where something was said', async () => {
    const space = new TestWorkspace()
    const hit = {
      session: 's',
      seq: 12,
      turn: 10,
      type: 'message' as const,
      at: Date.UTC(2026, 0, 2, 3, 4),
      also: [11],
      near: [13],
    }
    const found = { ...hit, role: 'user' as const, snippet: 'the code\nword is swordfish' }
    const search = async () => ({ hits: [found], total: 5, searched: 40, nearest: [] })
    const text = await space.outputOf(
      recallFromLog,
      { search: 'code' },
      { recall: { entries: async () => [], search } },
    )
    expect(text).toBe(
      [
        '#12 (user, 2026-01-02 03:04; also #11; next to #13):',
        '  the code',
        '  word is swordfish',
        'To see an entry as a whole: recall its handle. 3 other entries match: narrow the search with a word or a filter.',
      ].join('\n'),
    )
    const none = async () => ({ hits: [], total: 0, searched: 40, nearest: ['code', 'coder'] })
    const nothing = { recall: { entries: async () => [], search: none } }
    expect(await space.outputOf(recallFromLog, { search: 'cdoe' }, nothing)).toBe(
      'Nothing was found for `cdoe` in 40 entries. Words that do occur: `code`, `coder`.',
    )
  })

  it('says in one line what is wrong with its input', async () => {
    const space = new TestWorkspace()
    const entries = async () => {
      throw new PithError('bad-argument', '`x` is not a handle')
    }
    const context = { recall: { entries, search: async () => NOTHING_FOUND } }
    expect((await space.call(recallFromLog, { handles: 'x' }, context)).output).toEqual({
      text: '`x` is not a handle',
      isError: true,
    })
    expect(await space.outputOf(recallFromLog, {})).toContain('give either handles or search')
    expect((await space.call(recallFromLog, { handles: '#99' })).output.isError).toBe(true)
  })
})

describe('todo', () => {
  it('writes the whole list', async () => {
    const space = new TestWorkspace()
    const todos = [
      { text: 'first', status: 'done' },
      { text: 'second', status: 'in-progress' },
    ]
    const { request, output } = await space.call(todo, { todos })
    expect(output).toEqual({ text: '[x] first\n[>] second', todos })
    expect(request).toBeUndefined()
    expect((await space.call(todo, { todos: [] })).output.todos).toEqual([])
    expect((await space.call(todo, { todos: [{ text: 'x', status: 'maybe' }] })).output.isError).toBe(true)
  })
})
