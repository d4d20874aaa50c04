import { EventEmitter } from 'node:events'
import { expect, it } from 'vitest'
import { quietSqlite } from '../../../src/cli/run-command-line.ts'

it('hides the warning about the SQLite of Node 22, and shows every other warning', () => {
  const warned = new EventEmitter()
  const shown: string[] = []
  warned.on('warning', ({ message }: Error) => shown.push(message))
  quietSqlite(warned)
  const experimental = (message: string) => Object.assign(new Error(message), { name: 'ExperimentalWarning' })
  warned.emit('warning', experimental('SQLite is an experimental feature and might change at any time'))
  warned.emit('warning', experimental('Another feature is experimental'))
  warned.emit('warning', new Error('SQLite is full'))
  expect(shown).toEqual(['Another feature is experimental', 'SQLite is full'])
})
