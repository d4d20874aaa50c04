import { expect, it } from 'vitest'
import { missing } from '../../../../src/agent/tools/files/target.ts'
import { filePlaceOf } from '../../../../src/agent/workspace.ts'
import { TestWorkspace } from '../support.ts'

it('a path that is not there is reported with the nearest name, wherever the path goes wrong', async () => {
  const space = new TestWorkspace()
  space.put('source/deep/index.ts', '')
  const messageFor = async (path: string) => (await missing(await filePlaceOf(space.folder, path), space.context)).text
  expect(await messageFor('source/deep/indx.ts')).toBe(
    'No such file or folder: source/deep/indx.ts; did you mean source/deep/index.ts?',
  )
  expect(await messageFor('sourc/deep/index.ts')).toBe(
    'No such file or folder: sourc/deep/index.ts; did you mean source?',
  )
  expect(await messageFor('source/deeep/more/x.ts')).toContain('did you mean source/deep?')
  expect(await messageFor('source/zzzzzz')).toBe('No such file or folder: source/zzzzzz; look for it with find or ls')
})
