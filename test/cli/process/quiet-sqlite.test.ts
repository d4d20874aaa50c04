import { EventEmitter } from 'node:events'
import { expect, it } from 'vitest'
import { quietSqlite } from '../../../src/cli/run-command-line.ts'

it('says nothing of the SQLite of Node 22, and tells every other warning', () => {
  const warned = new EventEmitter()
  const told: string[] = []
  warned.on('warning', ({ message }: Error) => told.push(message))
  quietSqlite(warned)
  const experimental = (message: string) => Object.assign(new Error(message), { name: 'ExperimentalWarning' })
  warned.emit('warning', experimental('SQLite is an experimental feature and might change at any time'))
  warned.emit('warning', experimental('Another feature is experimental'))
  warned.emit('warning', new Error('SQLite is full'))
  expect(told).toEqual(['Another feature is experimental', 'SQLite is full'])
})
