import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it, onTestFinished, vi } from 'vitest'
import { changeFiles } from '../../../../src/cli/commands/setup/change-files.ts'
import { configFolders } from '../../../support/config-folders.ts'

it('a file that cannot be written leaves the others as they were', async () => {
  const { home, env } = configFolders()
  onTestFinished(() => void vi.unstubAllEnvs())
  vi.stubEnv('PITH_HOME', env.PITH_HOME)
  const file = join(home, 'a.json')
  writeFileSync(file, 'old')
  const changes = [
    { file, before: 'old', after: 'new', record: undefined },
    { file: join(file, 'b.json'), before: undefined, after: 'new', record: undefined },
  ]
  await expect(changeFiles(changes, new Date(0))).rejects.toThrow('nothing was changed')
  expect(readFileSync(file, 'utf8')).toBe('old')
  await expect(changeFiles([{ file, before: 'other', after: 'new', record: undefined }], new Date(0))).rejects.toThrow(
    'was changed meanwhile',
  )
})
