import { describe, expect, it } from 'vitest'
import { todo } from '../../../../src/agent/tools/todo/todo.ts'
import { TestWorkspace } from '../support.ts'

describe('todo', () => {
  it('shows each to-do with its state, and gives the list to the session', async () => {
    const todos = [
      { text: 'a', status: 'done' },
      { text: 'b', status: 'in-progress' },
      { text: 'c', status: 'pending' },
      { text: 'd', status: 'cancelled' },
    ]
    const { request, output } = await new TestWorkspace().call(todo, { todos })
    expect(output).toEqual({ text: '[x] a\n[>] b\n[ ] c\n[-] d', todos })
    expect(request).toBeUndefined()
  })

  it('says that the list is empty', async () => {
    expect(await new TestWorkspace().outputOf(todo, { todos: [] })).toBe('The to-do list is empty.')
  })

  it('takes spaces off, and no empty, endless or unknown to-do', () => {
    const parsed = (text: string, status = 'pending') => todo.input.safeParse({ todos: [{ text, status }] })
    expect(parsed(' a ').data).toEqual({ todos: [{ text: 'a', status: 'pending' }] })
    expect(parsed('a'.repeat(500)).success).toBe(true)
    for (const refused of [parsed(' '), parsed('a'.repeat(501)), parsed('a', 'later')])
      expect(refused.success).toBe(false)
    const many = (count: number) => ({ todos: Array.from({ length: count }, () => ({ text: 'a', status: 'done' })) })
    expect([200, 201].map((count) => todo.input.safeParse(many(count)).success)).toEqual([true, false])
  })
})
