import { describe, expect, it } from 'vitest'
import { pith } from '../../../support/cli.ts'
import { configFolders } from '../../../support/config-folders.ts'

describe('pith serve link', () => {
  it('knows a session by the first characters that pith sessions lists', async () => {
    const folders = configFolders()
    await pith(folders, ['serve', 'token', 'add', 'me', '--owner', 'local'])
    const { stdout } = await pith(folders, ['import', 'example'])
    const start = / as ([0-9a-f]{8})/.exec(stdout)?.[1] ?? 'none'
    expect(await pith(folders, ['serve', 'link', start])).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('/#share='),
    })
    expect(await pith(folders, ['serve', 'link', 'ffffffff'])).toMatchObject({ code: 1 })
  })
})
