import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { fileContent } from '../../../../src/agent/tools/files/stored-file.ts'
import { filePlaceOf } from '../../../../src/agent/workspace.ts'
import { TestWorkspace } from '../support.ts'

it('a regular file is read, a folder and a device are refused, and nothing is undefined', async () => {
  const space = new TestWorkspace()
  space.put('a', 'text')
  mkdirSync(join(space.folder, 'b'))
  const opened = async (path: string) => fileContent(await filePlaceOf(space.folder, path))
  expect((await opened('a'))?.content.toString()).toBe('text')
  expect(await opened('c')).toBeUndefined()
  expect(await opened('a/c')).toBeUndefined()
  await expect(opened('b')).rejects.toMatchObject({ code: 'bad-argument', message: 'b is a folder: list it with ls' })
  await expect(opened('/dev/null')).rejects.toMatchObject({
    code: 'bad-argument',
    message: '/dev/null is not a regular file: it cannot be read',
  })
})
