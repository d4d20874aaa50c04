import { expect, it } from 'vitest'
import { missing } from '../../../../src/agent/tools/files/target.ts'
import { filePlaceOf } from '../../../../src/agent/workspace.ts'
import { TestWorkspace } from '../support.ts'

it('a path that is not there is told with the nearest name, wherever the path goes wrong', async () => {
  const space = new TestWorkspace()
  space.put('source/deep/index.ts', '')
  const told = async (path: string) => (await missing(await filePlaceOf(space.folder, path), space.context)).text
  expect(await told('source/deep/indx.ts')).toBe(
    'No such file or folder: source/deep/indx.ts; did you mean source/deep/index.ts?',
  )
  expect(await told('sourc/deep/index.ts')).toBe('No such file or folder: sourc/deep/index.ts; did you mean source?')
  expect(await told('source/deeep/more/x.ts')).toContain('did you mean source/deep?')
  expect(await told('source/zzzzzz')).toBe('No such file or folder: source/zzzzzz; look for it with find or ls')
})
