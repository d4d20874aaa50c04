import { describe, expect, it } from 'vitest'
import { logOf } from '../../../src/engine/context/view/log.ts'
import { viewOf } from '../../../src/engine/context/view/view-of.ts'
import { filesOf, pathsOf } from '../../../src/engine/extract/files.ts'
import { call } from '../../support/messages.ts'

const filesBy = (toolName: string, input: unknown = { path: 'src/a.ts' }) =>
  filesOf(viewOf(logOf([call('x', toolName, input)])).items)

describe('the files of a call', () => {
  it.each(['read', 'Read', 'grep', 'find', 'ls'])('are read by %s', (toolName) => {
    expect(filesBy(toolName)).toEqual([{ path: 'src/a.ts', access: 'read', seq: 1 }])
  })

  it.each(['write', 'edit', 'EDIT'])('are modified by %s', (toolName) => {
    expect(filesBy(toolName, { file_path: 'src/a.ts' })).toEqual([{ path: 'src/a.ts', access: 'modified', seq: 1 }])
  })

  it.each(['constructor', 'toString', '__proto__', 'hasOwnProperty', 'bash', 'view', 'unknown'])(
    'are none of a tool named %s',
    (toolName) => {
      expect(filesBy(toolName)).toEqual([])
      expect(filesBy(toolName, { path: 'src/a.ts', command: 'cat src/b.ts' })).toEqual([])
    },
  )
})

it('the paths of an access are those of that access alone, sorted', () => {
  const files = [
    { path: 'c.ts', access: 'read' as const, seq: 1 },
    { path: 'b.ts', access: 'modified' as const, seq: 2 },
    { path: 'a.ts', access: 'read' as const, seq: 3 },
  ]
  expect(pathsOf(files, 'read')).toEqual(['a.ts', 'c.ts'])
  expect(pathsOf(files, 'modified')).toEqual(['b.ts'])
})
