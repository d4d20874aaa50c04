import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { AbortReason } from '../../../src/agent/interruption.ts'
import { defineTool, type ToolContext } from '../../../src/agent/tool.ts'
import { PithError } from '../../../src/model/problems/errors.ts'
import { NOTHING_FOUND } from '../../../src/search/hits.ts'

const CONTEXT: ToolContext = {
  workspace: '/work',
  signal: new AbortController().signal,
  env: {},
  seen: () => undefined,
  recall: { entries: async () => [], search: async () => NOTHING_FOUND },
}

/** A tool that throws what it is made with, or answers with its input. */
const toolOf = (error?: unknown, input: z.ZodType<{ path: string }> = z.strictObject({ path: z.string() })) =>
  defineTool<{ path: string }>({
    name: 'look',
    description: '',
    input,
    parallel: true,
    permission: async ({ path }) => ({ kind: 'read', path, outside: false }),
    run: async ({ path }) => {
      if (error !== undefined) throw error
      return { text: path }
    },
  })

describe('a tool', () => {
  it('gets an input that fits', async () => {
    expect(await toolOf().run({ path: 'a' }, CONTEXT)).toEqual({ text: 'a' })
    expect(await toolOf().permission({ path: 'a' }, CONTEXT)).toEqual({ kind: 'read', path: 'a', outside: false })
  })

  it('answers with what is wrong with another, and asks for nothing', async () => {
    expect(await toolOf().run({ path: 'a', pat: 1 }, CONTEXT)).toEqual({
      text: 'look: unknown key `pat`, did you mean `path`?',
      isError: true,
    })
    expect(await toolOf().permission({ pat: 1 }, CONTEXT)).toBeUndefined()
    const piped = z.strictObject({ path: z.string() }).transform((input) => input)
    expect(await toolOf(undefined, piped).run({}, CONTEXT)).toMatchObject({
      text: expect.stringContaining('look'),
      isError: true,
    })
  })

  it('answers with what went wrong', async () => {
    const failed = (error: unknown) => toolOf(error).run({ path: 'a' }, CONTEXT)
    expect(await failed(new PithError('not-allowed', 'Not that.'))).toEqual({ text: 'Not that.', isError: true })
    expect(await failed(new DOMException('x', 'AbortError'))).toEqual({ text: 'Cancelled by the user.', isError: true })
    const limit = new AbortReason('the run took too long')
    expect(await toolOf(limit).run({ path: 'a' }, { ...CONTEXT, signal: AbortSignal.abort(limit) })).toEqual({
      text: 'Cancelled because the run took too long.',
      isError: true,
    })
    expect(await failed(Object.assign(new Error('x'), { code: 'ENOSPC', path: '/a' }))).toEqual({
      text: '/a: the disk is full: nothing was written',
      isError: true,
    })
  })

  it('lets a mistake of ours through', async () => {
    await expect(toolOf(new TypeError('a bug')).run({ path: 'a' }, CONTEXT)).rejects.toThrow('a bug')
  })
})
