import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { clipboardImage, NO_CLIPBOARD_IMAGE, NO_CLIPBOARD_PROGRAM } from '../../../src/tui/app/clipboard-image.ts'

/** A PATH with one program, which prints something. */
function pathWith(name: string, script: string): NodeJS.ProcessEnv {
  const folder = mkdtempSync(join(tmpdir(), 'pith-clip-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  writeFileSync(join(folder, name), `#!/bin/sh\n${script}\n`)
  chmodSync(join(folder, name), 0o755)
  return { PATH: folder }
}

it.each([
  ['xclip', "printf '\\211PNG\\r\\n\\032\\nrest'"],
  ['osascript', "printf '«data PNGf89504E470D0A1A0A72657374»'"],
])('an image of the clipboard is taken with %s', async (name, script) => {
  const image = await clipboardImage(pathWith(name, script))
  if (!('path' in image)) throw new Error(image.why)
  expect(readFileSync(image.path).subarray(8).toString()).toBe('rest')
  rmSync(image.path)
})

it('says whether there is no program or no image', async () => {
  expect(await clipboardImage({ PATH: '/nowhere' })).toEqual({ why: NO_CLIPBOARD_PROGRAM })
  expect(await clipboardImage(pathWith('wl-paste', 'exit 1'))).toEqual({ why: NO_CLIPBOARD_IMAGE })
  expect(await clipboardImage(pathWith('wl-paste', 'echo text'))).toEqual({ why: NO_CLIPBOARD_IMAGE })
})
