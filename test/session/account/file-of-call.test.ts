import { expect, it } from 'vitest'
import { fileOfCall } from '../../../src/session/account/session-account.ts'

const file = (toolName: string, input: unknown, folder = '/shop') =>
  fileOfCall({ type: 'tool-call', toolCallId: 'c', toolName, input }, folder)

it('the file of a call has its whole path if the folder is known', () => {
  expect(file('read', { path: 'src/a.ts' })).toBe('/shop/src/a.ts')
  expect(file('read', { path: './src/a.ts' })).toBe('/shop/src/a.ts')
  expect(file('read', { path: '/etc/hosts' })).toBe('/etc/hosts')
  expect(file('edit', { path: 'a.ts', edits: [] }, '/shop/')).toBe('/shop/a.ts')
  expect(file('write', { path: 'a.ts', content: '' }, 'C:\\work\\')).toBe('C:\\work/a.ts')
  expect(file('read', { path: 'src/a.ts' }, '')).toBe('src/a.ts')
})

it('a call about several files, a folder or none has no file', () => {
  expect(file('bash', { command: 'cat a.ts b.ts' })).toBeUndefined()
  expect(file('bash', { command: 'cat a.ts' })).toBe('/shop/a.ts')
  expect(file('ls', { path: 'src' })).toBeUndefined()
  expect(file('grep', { pattern: 'x', path: 'src' })).toBeUndefined()
  expect(file('todo', { todos: [] })).toBeUndefined()
})
